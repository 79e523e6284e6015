import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

extension PhoneAuthTests {
    /// Accounts on one master of a cluster whose numbers are on another one, which has no replica that confirms them.
    @Suite struct AssignIdentifierConfirmationTests {
        @Test("a repeated import or change is acknowledged only once replicas have the claim that the first one stored")
        func repeated() async throws {
            let cluster = try await RedisCluster.start(hasReplicas: true)
            let servers = try RedisAddress("redis+cluster://\(cluster.list)").servers
            let deployment = try Deployment()
            let project = deployment.projectWithEverything
            let lenient = deployment.authenticator(cluster: servers)
            let strict = deployment.authenticator(
                cluster: servers,
                replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: 500)
            )
            for authenticator in [lenient, strict] {
                #expect(eventually { (try? authenticator.store.ping()) != nil })
            }
            let shards = lenient.store.shards
            func master(ofNumber number: String) -> Int {
                cluster.index(ofKey: KeyNames.identifier(lenient.in(project).identity(of: number)))
            }
            let ofClaims = master(ofNumber: fictionalNumber(0))
            let users = (0..<1000).lazy.map { "user-\($0)" }.filter { uid in
                let account = AccountIdentity(project: project.id, uid: uid, among: shards)
                return cluster.index(ofKey: KeyNames.user(account)) == (ofClaims + 1) % 3
            }
            let phones = (0..<1000).lazy.map { fictionalNumber($0) }.filter { master(ofNumber: $0) == ofClaims }
            let (uids, numbers) = (Array(users.prefix(3)), Array(phones.prefix(3)))

            func importAccount(_ index: Int, by authenticator: Authenticator) throws(StoreUnavailable) -> String {
                var change = AccountChange()
                change.phoneNumber = .set(numbers[index])
                let imported = ImportedAccount(uid: uids[index], change, source: [UInt8(index)])
                return "\(try authenticator.in(project).importAccounts([imported], .refuse)[0])"
            }
            func change(_ index: Int) throws(AccountRefusal) {
                var change = AccountChange()
                change.phoneNumber = .set(numbers[index])
                _ = try strict.in(project).changeAccount(uid: uids[index], change)
            }

            #expect(try importAccount(0, by: lenient) == "created")
            _ = try lenient.in(project).createAccount(uid: uids[1], AccountChange(), requestID: "r")
            // The masters then know all scripts, and the replicas have all accounts.
            #expect(eventually { (try? importAccount(0, by: strict)) == "unchanged" })
            do {
                cluster.replicas[ofClaims].pause()
                defer { cluster.replicas[ofClaims].resume() }
                #expect(throws: StoreUnavailable.self) { try importAccount(0, by: strict) }
                for _ in 0..<2 {
                    #expect(throws: AccountRefusal.self) { try change(1) }
                    #expect(throws: StoreUnavailable.self) { try importAccount(2, by: strict) }
                }
            }
            #expect(eventually { (try? change(1)) != nil })
            for index in [0, 2] { #expect(eventually { (try? importAccount(index, by: strict)) != nil }) }
            try lenient.in(project).expectSoundAccounts()
        }
    }
}
