import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct CreateSessionCookieTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("a session cookie has the ID token's claims, a longer lifetime and another issuer")
        func sessionCookie() throws {
            let idToken = try authenticator.in(project).signIn(number).idToken
            let issued = try Claims(idToken)
            deployment.clock.advance(by: .seconds(60))
            let cookie = try authenticator.in(project).createSessionCookie(idToken: idToken, lifetime: .seconds(300))
            let claims = try Claims(cookie)
            #expect(claims.payload["iss"] == .string("https://session.firebase.google.com/demo-app"))
            for name in ["sub", "aud", "auth_time", "phone_number", "firebase"] {
                #expect(claims.payload[name] == issued.payload[name])
            }
            #expect(claims.number("iat") == deployment.clock.now.seconds)
            #expect(claims.number("exp") == deployment.clock.now.seconds + 300)
            // A session cookie is not accepted as an ID token.
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: cookie) }
            for seconds in [299, 14 * 86_400 + 1] {
                #expect(throws: (any Error).self) {
                    try authenticator.in(project).createSessionCookie(idToken: idToken, lifetime: .seconds(seconds))
                }
            }
        }
    }
}
