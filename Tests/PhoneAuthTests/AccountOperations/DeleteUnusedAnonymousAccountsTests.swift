import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The deletion of unused anonymous accounts.
    @Suite struct DeleteUnusedAnonymousAccountsTests {
        static let day: Duration = .seconds(86_400)

        let deployment: Deployment
        let authenticator: Authenticator
        let project = Project(
            id: "demo-app",
            authorizedDomains: ["localhost"],
            isAnonymousSignInEnabled: true,
            unusedAnonymousUsers: UnusedAnonymousUsers(areDeleted: true, after: Self.day * 30),
            isPasswordSignInEnabled: true,
            customTokenIssuers: .anyoneUnverified
        )

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
        }

        private func signUp() throws -> IssuedTokens { try authenticator.in(project).signUpAnonymously() }

        /// Walks through all shards once and returns nil if the project keeps anonymous accounts.
        @discardableResult private func deleteUnused(
            _ authenticator: Authenticator? = nil,
            of project: Project? = nil
        ) throws -> Int? {
            try Self.deleteUnused(authenticator ?? self.authenticator, of: project ?? self.project)
        }

        private static func deleteUnused(_ authenticator: Authenticator, of project: Project) throws -> Int? {
            var deleted = 0
            var shard: Int? = 0
            while let first = shard {
                guard let step = try authenticator.in(project).deleteUnusedAnonymousAccounts(fromShard: first) else {
                    return nil
                }
                deleted += step.deleted
                shard = step.nextShard
            }
            return deleted
        }

        private var listed: [String] {
            deployment.keyNames(matching: "*:users:demo-app:anonymous").flatMap {
                deployment.cli("ZRANGE", $0, "0", "-1").split(separator: "\n").map(String.init)
            }
        }

        @Test("an account is deleted with all its data thirty days after its last use")
        func deletion() throws {
            let user = try signUp()
            deployment.clock.advance(by: Self.day * 30)
            #expect(try deleteUnused() == 0)
            #expect(listed == [user.account.uid])
            deployment.clock.advance(by: .seconds(1))
            #expect(try deleteUnused() == 1)
            #expect(deployment.accountKey(of: user.account.uid) == nil)
            #expect(try authenticator.in(project).accounts().isEmpty)
            #expect(deployment.keyNames(matching: "dt:{u*}:users:*").isEmpty)
            #expect(deployment.keyNames(matching: "dt:{u*}:sessions:*").isEmpty)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .noAccount)
            #expect(try deleteUnused() == 0)
            var filter = AuditFilter()
            filter.project = project
            filter.kinds = [.accountDeleted]
            var events = try authenticator.auditEvents(filter, among: [project])
            let event = try #require(try events.next())
            #expect(event.uid == user.account.uid && event.detail == "unused" && event.actor == "server")
            #expect(try events.next() == nil)
        }

        @Test("a refresh counts as a use")
        func refresh() throws {
            let user = try signUp()
            for _ in 0..<5 {
                deployment.clock.advance(by: Self.day * 20)
                #expect(authenticator.in(project).refresh(user.refreshToken) == .refreshed(uid: user.account.uid))
                #expect(try deleteUnused() == 0)
            }
            #expect(listed == [user.account.uid])
            deployment.clock.advance(by: Self.day * 31)
            #expect(try deleteUnused() == 1)
        }

        @Test(
            "an account with a way to sign in is kept, with and without an audit log",
            arguments: ["phone", "password", "custom", "operator"],
            [true, false]
        )
        func linked(way: String, isLogged: Bool) throws {
            let authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make()) {
                if !isLogged { $0.auditRetention = .zero }
            }
            let user = try authenticator.in(project).signUpAnonymously()
            let uid = user.account.uid
            switch way {
            case "phone": #expect(try authenticator.in(project).link("+16505550171", to: user.idToken).uid == uid)
            case "password":
                try authenticator.in(project).change(user.idToken, email: "ada@example.com", password: "correct horse")
            case "custom":
                let token = CustomTokens.unsigned(uid: uid, at: deployment.clock.now.seconds)
                #expect(try authenticator.in(project).signInWithCustomToken(token).account.uid == uid)
            default:
                var change = AccountChange()
                change.phoneNumber = .set("+16505550171")
                _ = try authenticator.working(for: .commandLine).in(project).changeAccount(uid: uid, change)
            }
            deployment.clock.advance(by: Self.day * 300)
            #expect(try deleteUnused(authenticator) == 0)
            #expect(deployment.accountKey(of: uid) != nil)
            #expect(listed.isEmpty)
        }

        @Test("an account that was linked after it was found is kept")
        func linkedMeanwhile() throws {
            let users = try [signUp(), signUp()]
            deployment.clock.advance(by: Self.day * 31)
            let now = deployment.clock.now.milliseconds
            let time = now - (Self.day * 30).milliseconds
            let found = try authenticator.store.anonymousAccounts(
                of: project.id,
                in: ShardCount.standard.shards,
                unusedSince: time,
                atMostOfEachShard: 8
            )
            #expect(Set(found.map(\.uid)) == Set(users.map(\.account.uid)))
            // The user returns after the account was found.
            let refreshed = try authenticator.in(project).exchangeRefreshToken(users[0].refreshToken)
            _ = try authenticator.in(project).link("+16505550171", to: refreshed.idToken)
            let deleted = try authenticator.store.deleteAnonymousAccounts(
                found,
                unusedSince: time,
                requestID: "request",
                markMilliseconds: 1000,
                audit: nil
            )
            #expect(deleted.count { $0 != nil } == 1)
            #expect(try authenticator.in(project).accounts().keys.sorted() == [users[0].account.uid])
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("claims of deleted accounts are released under the index key in force")
        func movedIndexKey() throws {
            let test = try MovableDeployment()
            let number = "+16505550146"
            let worker = try test.authenticator()
            let user = try worker.in(project).signUpAnonymously()
            let account = AccountIdentity(project: project.id, uid: user.account.uid, among: worker.store.shards)
            let claim = worker.in(project).newClaim(uid: account.uid)
            let sealed = try worker.in(project).seal(.phone, number, for: account)
            #expect(try worker.store.proposeIdentifier(.phone, sealed, claim, to: account) == .proposed)
            let identity = worker.in(project).identity(of: number)
            #expect(try worker.store.claimIdentifier(identity, claim, replacing: nil) == claim)
            test.deployment.clock.advance(by: Self.day * 31)

            try test.moveAll()
            let moved = try test.authenticator()
            #expect(try moved.store.claim(of: moved.in(project).identity(of: number)) == claim)
            #expect(try Self.deleteUnused(test.deployment.authenticator(), of: project) == 1)
            #expect(try moved.store.claim(of: moved.in(project).identity(of: number)) == nil)
        }

        @Test("projects keep anonymous accounts unless a setting or the configuration deletes them")
        func configuration() throws {
            let keeping = Project(id: "demo-app", authorizedDomains: [], isAnonymousSignInEnabled: true)
            _ = try authenticator.in(keeping).signUpAnonymously()
            deployment.clock.advance(by: Self.day * 31)
            #expect(try deleteUnused(of: keeping) == nil)
            func configure(_ json: String) throws {
                guard case .object(let members) = try JSONValue.parse(Array(json.utf8)) else { return }
                _ = try authenticator.in(keeping).changeConfiguration(members, mask: ["autodeleteAnonymousUsers"])
            }
            try configure(#"{"autodeleteAnonymousUsers":true}"#)
            #expect(try deleteUnused(of: keeping) == 1)
            _ = try authenticator.in(keeping).signUpAnonymously()
            deployment.clock.advance(by: Self.day * 31)
            try configure(#"{"autodeleteAnonymousUsers":false}"#)
            #expect(try deleteUnused(of: project) == nil)
        }

        @Test("of racing dispatchers, exactly one deletes each account, and a step deletes a bounded number")
        func racing() throws {
            let users = 40
            let one = try #require(ShardCount(1))
            let signingUp = deployment.authenticator(shards: one)
            for _ in 0..<users { _ = try signingUp.in(project).signUpAnonymously() }
            deployment.clock.advance(by: Self.day * 31)
            let first = try signingUp.in(project).deleteUnusedAnonymousAccounts(fromShard: 0)
            #expect(first?.deleted == 8 && first?.nextShard == nil)
            let deleted = try inParallel(4) { [deployment, project] _ -> Int in
                let authenticator = deployment.authenticator(shards: one)
                var deleted = 0
                while let count = try Self.deleteUnused(authenticator, of: project), count > 0 { deleted += count }
                return deleted
            }
            // A dispatcher that found nothing to delete may have stopped while others were still deleting.
            let rest = try Self.deleteUnused(signingUp, of: project) ?? 0
            #expect(deleted.reduce(0, +) + rest == users - 8)
            #expect(try signingUp.in(project).accounts().isEmpty)
        }
    }
}
