import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct AtRestTests {
        @Test("no key and no value in Redis contains a code, number, address or token")
        func nothingReadable() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let project = deployment.project
            var secrets: [String] = []
            for index in 1...5 {
                let number = "+1650555012\(index)"
                let session = try authenticator.in(project).session(for: number)
                let code = try authenticator.in(project).code(of: session)
                _ = authenticator.in(project).answer(
                    session,
                    try authenticator.in(project).wrongCode(of: session),
                    request: "w"
                )
                secrets += [String(number.dropFirst(2)), code, session]
                if index > 2 {
                    let signedIn = try authenticator.in(project).signIn(session, code, request: "r")
                    secrets += [signedIn.refreshToken, signedIn.idToken]
                }
            }
            let testCode = try #require(VerificationCode("314159"))
            try authenticator.in(project).setTestNumber("+16505550130", code: testCode)
            secrets += ["6505550130", "314159", "192.0.2.1"]

            let contents = deployment.contents()
            #expect(contents.count > 20)
            let everything = contents.map { "\($0.key)\n\($0.value)" }.joined(separator: "\n")
            #expect(everything.contains("sign-in"), "values are read")
            for secret in secrets { #expect(!everything.contains(secret)) }
        }
    }
}
