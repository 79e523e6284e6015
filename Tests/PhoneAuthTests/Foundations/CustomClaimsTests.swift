import Encodings
import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct CustomClaimsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550165"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("tokens contain custom claims beside the server's own, which custom claims cannot replace")
        func customClaims() throws {
            let user = try authenticator.in(project).signIn(number)
            let key = try #require(deployment.accountKey(of: user.uid))
            _ = try authenticator.in(project).updateAccount(of: user.idToken) { $0.displayName = .set("Ada") }
            let text = """
                {"role":"admin","level":[1,2.50],"role":"owner","name":"Other","sub":"x","firebase":{},"phone_number":"+1",\
                "user_id":"x","exp":9999999999,"email_verified":true,"provider_id":"anonymous"}
                """
            deployment.cli("HSET", key, "custom-attributes", text)
            let idToken = try authenticator.in(project).exchangeRefreshToken(user.refreshToken).idToken
            let claims = try Claims(idToken)
            #expect(claims.payload["role"] == .string("owner"))
            #expect(claims.payload["level"] == .array([.number("1"), .number("2.50")]))
            #expect(claims.payload["name"] == .string("Other"))
            #expect(claims.payload["sub"] == .string(user.uid))
            #expect(claims.payload["phone_number"] == .string(number))
            #expect(claims.payload["email_verified"] == nil && claims.payload["provider_id"] == nil)
            let names = claims.payload.members.map(\.name)
            #expect(names.count == Set(names).count)
            #expect(try authenticator.in(project).lookUpAccount(idToken: idToken).account.customClaims?.text == text)
        }

        @Test("custom claims are an object of at most 1000 bytes without reserved names")
        func customClaimRules() throws {
            #expect(try CustomClaims(#"{"a":{"sub":1}}"#).text == #"{"a":{"sub":1}}"#)
            let longest = "{\"a\":\"\(String(repeating: "x", count: 992))\"}"
            #expect(try CustomClaims(longest).text.utf8.count == 1000)
            #expect(throws: CustomClaimsError.tooLarge) { try CustomClaims(longest + " ") }
            for text in ["", "[]", "1", "{", "{}x", "null"] {
                #expect(throws: CustomClaimsError.malformed) { try CustomClaims(text) }
            }
            for name in ["sub", "firebase", "aud", "nonce", "c_hash"] {
                #expect(throws: CustomClaimsError.reserved(name)) { try CustomClaims("{\"x\":1,\"\(name)\":1}") }
            }
        }
    }
}
