import Encodings
import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct SignUpAnonymouslyTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("an anonymous account has no number, and its tokens mark it as anonymous")
        func anonymous() throws {
            let tokens = try authenticator.in(project).signUpAnonymously()
            #expect(tokens.isNewUser)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(tokens.refreshToken)
            for token in [tokens.idToken, refreshed.idToken] {
                let claims = try Claims(token)
                #expect(claims.payload["provider_id"] == .string("anonymous"))
                let firebase = JSONObject(members: [
                    ("identities", .object(JSONObject())), ("sign_in_provider", .string("anonymous")),
                ])
                #expect(claims.protocolsFirebase == .object(firebase))
                #expect(claims.payload["phone_number"] == nil)
            }
            #expect(authenticator.in(project).look(up: tokens.idToken) == .found(uid: tokens.account.uid))
            #expect(throws: SignUpRefusal.self) { try authenticator.in(deployment.project).signUpAnonymously() }
        }
    }
}
