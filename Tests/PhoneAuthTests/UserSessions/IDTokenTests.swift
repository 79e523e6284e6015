import Cryptography
import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct IDTokenTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let signedIn: SignedIn
        let claims: Claims

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
            signedIn = try authenticator.in(project).signIn("+16505550180")
            claims = try Claims(signedIn.idToken)
        }

        private func lookUp(_ token: String) -> LookupOutcome { authenticator.in(project).look(up: token) }

        /// Returns a token signed with the deployment's own key, with another header or other claims.
        private func token(header: String? = nil, payload: String? = nil, key: String = TestKeys.privateKey) throws
            -> String
        {
            let head = header.map { Base64URL.string(Array($0.utf8)) } ?? claims.parts[0]
            let body = payload.map { Base64URL.string(Array($0.utf8)) } ?? claims.parts[1]
            let signature = try #require(RSAPrivateKey(pem: key)).signature(for: Array("\(head).\(body)".utf8))
            return "\(head).\(body).\(Base64URL.string(signature))"
        }

        /// Returns the token's payload with one text replaced.
        private func payload(replacing text: String, by other: String) throws -> String {
            let payload = String(decoding: try #require(Base64URL.decode(claims.parts[1].utf8)), as: UTF8.self)
            let pieces = payload.split(separator: text, omittingEmptySubsequences: false)
            try #require(pieces.count > 1, "\(text) stands in the payload")
            return pieces.joined(separator: other)
        }

        @Test("the claims are those of the protocol")
        func claimSet() {
            let now = deployment.clock.now.seconds
            #expect(claims.header["alg"] == .string("RS256"))
            #expect(claims.header["typ"] == .string("JWT"))
            #expect(claims.header["kid"] == .string("key-1"))
            #expect(claims.payload["iss"] == .string("https://securetoken.google.com/demo-app"))
            #expect(claims.payload["aud"] == .string("demo-app"))
            #expect(claims.payload["sub"] == .string(signedIn.uid))
            #expect(claims.payload["user_id"] == .string(signedIn.uid))
            #expect(claims.payload["phone_number"] == .string("+16505550180"))
            for name in ["iat", "auth_time"] { #expect(claims.number(name) == now) }
            #expect(claims.number("exp") == now + 3600)
            let identities = JSONValue.object(JSONObject(members: [("phone", .array([.string("+16505550180")]))]))
            let firebase = JSONObject(members: [("identities", identities), ("sign_in_provider", .string("phone"))])
            #expect(claims.protocolsFirebase == .object(firebase))
        }

        @Test("an ID token is valid for an hour")
        func expiry() {
            deployment.clock.advance(by: .seconds(3599))
            #expect(lookUp(signedIn.idToken) == .found(uid: signedIn.uid))
            deployment.clock.advance(by: .seconds(1))
            #expect(lookUp(signedIn.idToken) == .invalid)
        }

        @Test("an unchanged token that is signed again is valid (control for the tests below)")
        func control() throws {
            #expect(lookUp(try token()) == .found(uid: signedIn.uid))
            let header = #"{"alg":"RS256","kid":"key-1"}"#
            #expect(lookUp(try token(header: header)) == .found(uid: signedIn.uid))
        }

        @Test(
            "another algorithm or key id, or a missing one, is rejected even with a valid signature",
            arguments: [
                #"{"alg":"none","kid":"key-1"}"#, #"{"alg":"HS256","kid":"key-1"}"#, #"{"alg":"RS512","kid":"key-1"}"#,
                #"{"alg":"rs256","kid":"key-1"}"#, #"{"kid":"key-1"}"#, #"{"alg":"RS256","kid":"key-2"}"#,
                #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":1}"#, "[]", "",
            ]
        )
        func headers(header: String) throws {
            #expect(lookUp(try token(header: header)) == .invalid)
        }

        @Test("unsigned tokens, and tokens with the public key as HMAC secret, are rejected (algorithm confusion)")
        func algorithmConfusion() throws {
            let none = Base64URL.string(Array(#"{"alg":"none","kid":"key-1"}"#.utf8))
            #expect(lookUp("\(none).\(claims.parts[1]).") == .invalid)
            #expect(lookUp("\(claims.parts[0]).\(claims.parts[1]).") == .invalid)
            let hmac = Base64URL.string(Array(#"{"alg":"HS256","kid":"key-1"}"#.utf8))
            let publicKey = try #require(RSAPrivateKey(pem: TestKeys.privateKey)).publicKey.pem()
            let signed = Array("\(hmac).\(claims.parts[1])".utf8)
            let code = HMAC(.sha256, key: Array(publicKey.utf8)).authenticationCode(for: signed)
            #expect(lookUp("\(hmac).\(claims.parts[1]).\(Base64URL.string(code))") == .invalid)
        }

        @Test("a token signed by another key under the server's key id is rejected")
        func otherKey() throws {
            #expect(lookUp(try token(key: TestKeys.otherPrivateKey)) == .invalid)
        }

        @Test("a token of another project is rejected because of its issuer and its audience")
        func otherProject() throws {
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).look(up: signedIn.idToken) == .invalid)
            let issuer = try payload(replacing: "google.com/demo-app", by: "google.com/other-app")
            #expect(lookUp(try token(payload: issuer)) == .invalid)
            let audience = try payload(replacing: #""aud":"demo-app""#, by: #""aud":"other-app""#)
            #expect(lookUp(try token(payload: audience)) == .invalid)
            let list = try payload(replacing: #""aud":"demo-app""#, by: #""aud":["demo-app"]"#)
            #expect(lookUp(try token(payload: list)) == .invalid)
        }

        @Test("a missing claim, or one with another type, is rejected", arguments: ["sub", "iat", "exp", "auth_time"])
        func missingClaim(name: String) throws {
            #expect(lookUp(try token(payload: try payload(replacing: "\"\(name)\":", by: "\"x\":"))) == .invalid)
            let list = try payload(replacing: "\"\(name)\":", by: "\"\(name)\":null,\"x\":")
            #expect(lookUp(try token(payload: list)) == .invalid)
        }

        @Test("a token with any changed character is rejected")
        func tampered() {
            let bytes = Array(signedIn.idToken.utf8)
            for index in stride(from: 0, to: bytes.count, by: 3) {
                var altered = bytes
                altered[index] = altered[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                #expect(lookUp(String(decoding: altered, as: UTF8.self)) == .invalid, "character \(index)")
            }
        }

        @Test("a text that is not a token is rejected", arguments: ["", ".", "..", "a.b.c", "....", "é.é.é"])
        func nonsense(text: String) {
            #expect(lookUp(text) == .invalid)
            #expect(lookUp(signedIn.idToken + "." + text) == .invalid)
            #expect(lookUp(String(repeating: "A", count: 9000) + signedIn.idToken) == .invalid)
        }
    }
}
