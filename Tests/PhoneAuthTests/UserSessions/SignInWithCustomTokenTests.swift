import Cryptography
import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct SignInWithCustomTokenTests {
        static let email = "server@demo-app.iam.example"

        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = Project(
                id: "demo-app",
                authorizedDomains: [],
                customTokenIssuers: .serviceAccounts([try Self.account("private_key")])
            )
        }

        /// Returns a service account's file in the format of the Admin SDKs, or with the public key alone.
        private static func account(_ member: String, email: String = Self.email) throws -> ServiceAccount {
            let key = try #require(RSAPrivateKey(pem: TestKeys.otherPrivateKey))
            let pem = member == "public_key" ? try key.publicKey.pem() : try key.pem()
            let file = JSONWriter.object { json in
                json.member("type", "service_account")
                json.member("client_email", email)
                json.member(member, pem)
            }
            return try #require(ServiceAccount(file: file))
        }

        /// Returns a valid custom token with some members replaced, or removed if their value is null.
        private func token(
            _ members: [(name: String, value: JSONValue)] = [],
            header: String = #"{"alg":"RS256","typ":"JWT"}"#,
            key: String = TestKeys.otherPrivateKey
        ) throws -> String {
            let now = deployment.clock.now.seconds
            var payload: [(name: String, value: JSONValue)] = [
                ("iss", .string(Self.email)), ("sub", .string(Self.email)), ("aud", .string(CustomToken.audience)),
                ("iat", .number("\(now)")), ("exp", .number("\(now + 3600)")), ("uid", .string("user 1:é")),
            ]
            for (name, value) in members {
                payload.removeAll { $0.name == name }
                if value != .null { payload.append((name, value)) }
            }
            let body = JSONWriter.object { json in for (name, value) in payload { json.member(name, value) } }
            let text = Base64URL.string(Array(header.utf8)) + "." + Base64URL.string(body)
            let signature = try #require(RSAPrivateKey(pem: key)).signature(for: Array(text.utf8))
            return text + "." + Base64URL.string(signature)
        }

        private func refusal(_ token: String, in other: Project? = nil) -> CustomTokenError? {
            do {
                _ = try authenticator.in(other ?? project).signInWithCustomToken(token)
            } catch {
                if case .tokenRefused(let reason) = error { return reason }
                Issue.record("\(error)")
            }
            return nil
        }

        @Test("a custom token signs in the user it names, who is new at first, and its claims survive refreshes")
        func signIn() throws {
            let claims = JSONValue.object(JSONObject(members: [("role", .string("admin"))]))
            for isNew in [true, false] {
                let tokens = try authenticator.in(project).signInWithCustomToken(try token([("claims", claims)]))
                #expect(tokens.isNewUser == isNew)
                #expect(tokens.account.uid == "user 1:é")
                let refreshed = try authenticator.in(project).exchangeRefreshToken(tokens.refreshToken)
                for idToken in [tokens.idToken, refreshed.idToken] {
                    let claims = try Claims(idToken)
                    let payload = claims.payload
                    #expect(payload["role"] == .string("admin"))
                    #expect(payload["sub"] == .string("user 1:é"))
                    let firebase = JSONObject(members: [
                        ("identities", .object(JSONObject())), ("sign_in_provider", .string("custom")),
                    ])
                    #expect(claims.protocolsFirebase == .object(firebase))
                }
            }
        }

        @Test("an account with any uid can get a number, which is released when the account is deleted")
        func number() throws {
            let tokens = try authenticator.in(project).signInWithCustomToken(try token())
            let linked = try authenticator.in(project).link("+16505550168", to: tokens.idToken)
            #expect(linked == .signedIn(uid: "user 1:é", isNew: false))
            #expect(try authenticator.in(project).signIn("+16505550168").uid == "user 1:é")
            try authenticator.in(project).expectSoundAccounts()
            try authenticator.in(project, request: "d").deleteAccount(idToken: tokens.idToken)
            #expect(deployment.keyNames(matching: "*:phone:*") == [])
        }

        @Test("a deleted user whom a custom token names again gets a new account, and earlier tokens stay revoked")
        func again() throws {
            let tokens = try authenticator.in(project).signInWithCustomToken(try token())
            try authenticator.in(project, request: "d").deleteAccount(idToken: tokens.idToken)
            #expect(authenticator.in(project).refresh(tokens.refreshToken) == .noAccount)
            let again = try authenticator.in(project).signInWithCustomToken(try token())
            #expect(again.isNewUser)
            #expect(authenticator.in(project).refresh(again.refreshToken) == .refreshed(uid: "user 1:é"))
            #expect(authenticator.in(project).refresh(tokens.refreshToken) == .noAccount)
        }

        @Test("a disabled user cannot sign in")
        func disabled() throws {
            _ = try authenticator.in(project).signInWithCustomToken(try token())
            deployment.cli("HSET", try #require(deployment.keyNames(matching: "*:user:*").first), "disabled", "1")
            #expect(throws: SignInWithCustomTokenRefusal.self) {
                try authenticator.in(project).signInWithCustomToken(try token())
            }
        }

        @Test("each invalid token gets its own error")
        func refusals() throws {
            let now = deployment.clock.now.seconds
            #expect(refusal("junk") == .invalid("It is not a JWT."))
            #expect(refusal(try token([("iss", .string("other"))])) == .issuerUnknown)
            #expect(refusal(try token([("sub", .string("other"))])) == .issuerUnknown)
            #expect(refusal(try token(), in: deployment.project) == .issuerUnknown)
            let wrongSignature = CustomTokenError.invalid("The signature is wrong.")
            #expect(refusal(try token(key: TestKeys.privateKey)) == wrongSignature)
            for header in [#"{"alg":"none"}"#, #"{"alg":"HS256"}"#, "{}"] {
                #expect(refusal(try token(header: header)) == wrongSignature)
            }
            #expect(refusal(try token() + "A") == wrongSignature)
            #expect(refusal(try token([("aud", .string("demo-app"))])) == .invalid("The audience is wrong."))
            #expect(refusal(try token([("iat", .null)])) == .invalid("It lacks iat or exp."))
            let lasting = try token([("exp", .number("\(now + 3601)"))])
            #expect(refusal(lasting) == .invalid("Its lifetime is not 1 to 3600 seconds."))
            let later = try token([("iat", .number("\(now + 61)")), ("exp", .number("\(now + 100)"))])
            #expect(refusal(later) == .invalid("Its iat is in the future."))
            let earlier = try token([("iat", .number("\(now - 60)")), ("exp", .number("\(now)"))])
            #expect(refusal(earlier) == .invalid("It has expired."))
            for uid in [JSONValue.null, .string(""), .number("1")] {
                #expect(refusal(try token([("uid", uid)])) == .uidMissing)
            }
            let long = String(repeating: "é", count: 129)
            for uid in [long, "a\u{0}", "a\n", "\u{85}"] {
                let reason = "A uid has 1 to 128 characters without control characters."
                #expect(refusal(try token([("uid", .string(uid))])) == .invalid(reason))
            }
            let reserved = JSONValue.object(JSONObject(members: [("sub", .string("x"))]))
            #expect(refusal(try token([("claims", reserved)])) == .claims(.reserved("sub")))
            #expect(refusal(try token([("claims", .string("x"))])) == .claims(.malformed))
            let large = JSONValue.object(JSONObject(members: [("a", .string(String(repeating: "x", count: 1000)))]))
            #expect(refusal(try token([("claims", large)])) == .claims(.tooLarge))
            #expect(deployment.keyNames(matching: "*:user:*") == [])
        }

        @Test("a file with only the public key is sufficient, and an invalid service account is rejected")
        func files() throws {
            let project = Project(
                id: "demo-app",
                authorizedDomains: [],
                customTokenIssuers: .serviceAccounts([try Self.account("public_key")])
            )
            #expect(try authenticator.in(project).signInWithCustomToken(try token()).isNewUser)
            let files = [
                "", "[]", "{}", #"{"client_email":"a@b"}"#, #"{"client_email":"a@b","private_key":"x"}"#,
                String(
                    decoding: JSONWriter.object { json in
                        json.member("client_email", "a@b")
                        json.member("private_key", TestKeys.shortPrivateKey)
                    },
                    as: UTF8.self
                ),
            ]
            for file in files { #expect(ServiceAccount(file: Array(file.utf8)) == nil) }
        }

        @Test("development mode accepts any token, even an unsigned one as Admin SDKs create for the emulator")
        func unverified() throws {
            let project = Project(id: "demo-app", authorizedDomains: [], customTokenIssuers: .anyoneUnverified)
            let signed = try token([("iss", .string("firebase-auth-emulator@example.com"))], header: #"{"alg":"none"}"#)
            let unsigned = signed.split(separator: ".").prefix(2).joined(separator: ".") + "."
            #expect(try authenticator.in(project).signInWithCustomToken(unsigned).account.uid == "user 1:é")
            #expect(refusal(unsigned) == .issuerUnknown)
        }
    }
}
