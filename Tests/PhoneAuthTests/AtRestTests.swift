import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct AtRestTests {
        @Test("Redis holds neither codes, numbers, addresses nor tokens, in no key and in no value")
        func nothingReadable() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let project = deployment.project
            var secrets: [String] = []
            for index in 1...5 {
                let number = "+1650555012\(index)"
                let session = try authenticator.session(for: number, in: project)
                let code = try authenticator.code(of: session, in: project)
                _ = authenticator.answer(
                    session,
                    try authenticator.wrongCode(of: session, in: project),
                    request: "w",
                    in: project
                )
                secrets += [String(number.dropFirst(2)), code, session]
                if index > 2 {
                    let signedIn = try authenticator.signIn(session, code, request: "r", in: project)
                    secrets += [signedIn.refreshToken, signedIn.idToken]
                }
            }
            let testCode = try #require(VerificationCode("314159"))
            try authenticator.setTestNumber("+16505550130", code: testCode, in: project)
            secrets += ["6505550130", "314159", "192.0.2.1"]

            let contents = deployment.contents()
            #expect(contents.count > 20)
            let everything = contents.map { "\($0.key)\n\($0.value)" }.joined(separator: "\n")
            #expect(everything.contains("sign-in"), "values are read")
            for secret in secrets { #expect(!everything.contains(secret)) }
        }
    }
}
