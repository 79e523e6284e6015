import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct UseIndexKeyTests {
        @Test("identifiers cannot be looked up during a move or without the key in force")
        func refusals() throws {
            let test = try MovableDeployment()
            var move = test.move()
            while try move.next() != .waited {}
            let worker = test.deployment.authenticator()
            #expect(throws: IndexKeyRefusal.moving) { try worker.useIndexKeyInForce() }
            try worker.useIndexKeyInForce(duringMove: .underFormerKey)
            #expect(worker.keys.indexKey.id == 1)
            while try move.next() != nil {}
            move.release()
            try worker.useIndexKeyInForce()
            #expect(worker.keys.indexKey.id == 2)
            let without = test.deployment.authenticator(keys: try TestKeys.make())
            let error = #expect(throws: IndexKeyRefusal.keyMissing(id: 2)) { try without.useIndexKeyInForce() }
            #expect(error?.description.contains("copy the deployment's current key file") == true)
            var only = without.moveIndexKey(to: nil, pause: .zero)
            #expect(throws: IndexKeyMoveFailure.formerKeyMissing(2)) { while try only.next() != nil {} }
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
            for authenticator in [one, two] { try authenticator.useIndexKeyInForce() }
            var move = one.moveIndexKey(to: nil, pause: .zero)
            while try move.next() != .inForce(2) {}
            try one.useIndexKeyInForce()
            let error = #expect(throws: IndexKeyRefusal.self) { try two.useIndexKeyInForce() }
            #expect(error?.description.contains("knows index-2 as") == true)
            #expect(throws: StoreUnavailable.self) { try two.checkDeployment() }
        }
    }
}
