import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct AuthenticateUserTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550165"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("every change rejects an invalid ID token with the same error")
        func notAuthenticated() throws {
            let user = try authenticator.in(project).signIn(number)
            let key = try #require(deployment.accountKey(of: user.uid))
            func outcome(_ token: String) -> [LookupOutcome?] {
                var updating: LookupOutcome?
                do {
                    _ = try authenticator.in(project).updateAccount(of: token) { $0.displayName = .set("x") }
                } catch {
                    if case .notAuthenticated(let error) = error { updating = LookupOutcome(error) }
                }
                var deleting: LookupOutcome?
                do {
                    try authenticator.in(project, request: "x").deleteAccount(idToken: token)
                } catch {
                    if case .notAuthenticated(let error) = error { deleting = LookupOutcome(error) }
                }
                return [updating, deleting]
            }
            #expect(outcome("junk") == [.invalid, .invalid])
            deployment.cli("HSET", key, "disabled", "1")
            #expect(outcome(user.idToken) == [.disabled, .disabled])
            deployment.cli("HSET", key, "disabled", "0", "revocation", "1")
            #expect(outcome(user.idToken) == [.revoked, .revoked])
            deployment.cli("DEL", key)
            #expect(outcome(user.idToken) == [.noAccount, .noAccount])
            #expect(deployment.keyNames(matching: "*:user:*") == [], "a change makes no account")
        }
    }
}
