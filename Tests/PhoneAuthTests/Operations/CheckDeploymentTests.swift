import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct CheckDeploymentTests {
        @Test("a process serves neither during a move, nor without the key in force, nor if the key moved while it ran")
        func indexKey() throws {
            let test = try MovableDeployment()
            func authenticator(_ keys: ServerKeys) -> Authenticator {
                test.deployment.authenticator(keys: keys, comparesMarks: true)
            }
            #expect(try test.deployment.adoptRedis(withData: true) == .adopted)
            let before = authenticator(test.deployment.keys)
            try before.checkDeployment()
            #expect(before.keys.indexKey.id == 1)
            #expect(try test.beginMove(steps: 2))
            func refusal(_ authenticator: Authenticator) -> String {
                #expect(throws: StoreUnavailable.self) { try authenticator.checkDeployment() }?.description ?? ""
            }
            let during = authenticator(test.deployment.keys)
            #expect(refusal(during).contains("is being moved from index-1 to index-2: run dialtone keys move-index"))
            #expect(refusal(before).contains("is being moved"))
            try test.moveAll()
            #expect(refusal(before).contains("was moved from index-1 to index-2 while this process ran: restart it"))
            let after = authenticator(test.deployment.keys)
            try after.checkDeployment()
            #expect(after.keys.indexKey.id == 2)
            let without = authenticator(try TestKeys.make())
            #expect(refusal(without).contains("has index-2 in force, which is not in this machine's key file: copy"))
            let mover = authenticator(try TestKeys.make())
            #expect(throws: IndexKeyMoveFailure.keyMissing(2)) { try mover.moveIndexKey() }
        }

        @Test("a thread that connects after a move uses the new key, whatever another thread has cached")
        func cached() throws {
            let test = try MovableDeployment()
            #expect(try test.deployment.adoptRedis(withData: true) == .adopted)
            let caches = StoreCaches(lifetime: .seconds(3600))
            let threads = (0..<2).map { _ in
                test.deployment.authenticator(keys: test.deployment.keys, comparesMarks: true, caches: caches)
            }
            try threads[0].checkDeployment()
            try test.moveAll()
            try threads[1].checkDeployment()
            #expect(threads[0].keys.indexKey.id == 1 && threads[1].keys.indexKey.id == 2)
        }

        @Test("a key file whose new index key is another machine's is refused once the move to that key begins")
        func otherKey() throws {
            let deployment = try Deployment()
            let keys = try (0..<2).map { _ in
                try KeyFile.parse(KeyFile.addIndexKey(TestKeys.file(), deployment.clock.environment).text)
            }
            #expect(try deployment.adoptRedis() == .adopted)
            let (one, two) = (
                deployment.authenticator(keys: keys[0], comparesMarks: true),
                deployment.authenticator(keys: keys[1], comparesMarks: true)
            )
            for authenticator in [one, two] { try authenticator.checkDeployment() }
            #expect(try one.moveIndexKey() == 2)
            let error = #expect(throws: StoreUnavailable.self) { try two.checkDeployment() }
            #expect(error?.description.contains("knows index-2 as") == true)
        }
    }
}
