import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct SignInWithPhoneNumberTests {
        @Test("a disabled account cannot sign in, but its code is used up")
        func disabledSignIn() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let project = deployment.project
            _ = try authenticator.in(project).signIn("+16505550170")
            let accountKey = try #require(deployment.keyNames(matching: "*:user:*").first)
            deployment.cli("HSET", accountKey, "disabled", "1")
            let tokens = deployment.keyNames(matching: "*:session:*")
            let session = try authenticator.in(project).session(for: "+16505550170")
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1") == .disabled)
            #expect(authenticator.in(project).answer(session, code, request: "2") == .used)
            #expect(deployment.keyNames(matching: "*:session:*") == tokens)
        }
    }
}
