import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct DeleteAccountTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550165"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("a deleted account leaves no number, token or data, and a repeated request gets the same response")
        func deletion() throws {
            let user = try authenticator.in(project).signIn(number)
            _ = try authenticator.in(project).updateAccount(of: user.idToken) { $0.displayName = .set("Ada") }
            for _ in 0..<2 { try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken) }
            #expect(deployment.keyNames(matching: "*:phone:*") + deployment.keyNames(matching: "*:user*") == [])
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "e").deleteAccount(idToken: user.idToken)
            }
            #expect(authenticator.in(project).look(up: user.idToken) == .noAccount)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .noAccount)
        }

        @Test("deletion requires a sign-in within the last five minutes")
        func recentSignIn() throws {
            let user = try authenticator.in(project).signIn(number)
            deployment.clock.advance(by: .seconds(301))
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken)
            }
            let refreshed = try authenticator.in(project).exchangeRefreshToken(user.refreshToken)
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "d").deleteAccount(idToken: refreshed.idToken)
            }
            #expect(authenticator.in(project).look(up: refreshed.idToken) == .found(uid: user.uid))
        }

        @Test(
            "a deleted account that did not release its number is never recreated",
            arguments: [0, 60, 1801, 3601, 86_400]
        )
        func halfDeleted(seconds: Int) throws {
            let user = try authenticator.in(project).signIn(number)
            let account = AccountIdentity(project: project.id, uid: user.uid, among: authenticator.store.shards)
            #expect(
                try authenticator.store.deleteAccount(
                    account,
                    requestID: "d",
                    markMilliseconds: 3_600_000,
                    audit: nil
                ).identifiers?.count == 1
            )
            deployment.clock.advance(by: .seconds(seconds))
            // Redis deletes markers by its own clock.
            if seconds > 3600 { deployment.keyNames(matching: "*:deleted:*").forEach { deployment.cli("DEL", $0) } }
            let again = try authenticator.in(project).signIn(number)
            #expect(again.isNewUser && again.uid != user.uid)
            #expect(authenticator.in(project).look(up: user.idToken) != .found(uid: user.uid))
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a deleted account's address is free")
        func addressIsFree() throws {
            let authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            let email = "ada@example.com"
            let user = try authenticator.in(project).signUp(email)
            try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken)
            #expect(deployment.keyNames(matching: "*:email:*") == [])
            let signIn = authenticator.in(project).signIn(email, password: "correct horse", request: "s")
            #expect(signIn == .credentialsInvalid)
            #expect(try authenticator.in(project).signUp(email, request: "again").account.uid != user.account.uid)
        }
    }
}
