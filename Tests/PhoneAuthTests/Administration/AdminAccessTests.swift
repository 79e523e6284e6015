import Cryptography
import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Permissions of administrative credentials.
    @Suite struct AdminAccessTests {
        static let email = "server@demo-app.iam.example"

        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let other = Project(id: "other", authorizedDomains: [])

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = Project(
                id: "demo-app",
                authorizedDomains: [],
                customTokenIssuers: .serviceAccounts([try Self.account(TestKeys.otherPrivateKey)])
            )
        }

        private static func account(_ key: String) throws -> ServiceAccount {
            let file = JSONWriter.object { json in
                json.member("client_email", email)
                json.member("private_key", key)
            }
            return try #require(ServiceAccount(file: file))
        }

        /// Returns whether the credential permits the access to the project.
        private func outcome(_ credential: String, _ access: AdminAccess, _ project: Project?) -> String {
            do {
                try authenticator.administrator(bearing: credential).require(access, to: project)
                return "permitted"
            } catch {
                switch error {
                case .credentialInvalid: return "invalid"
                case .notPermitted: return "refused"
                case .failed: return "failed"
                }
            }
        }

        @Test("a token reads or writes only its project until it expires or is revoked")
        func tokens() throws {
            let reading = try authenticator.in(project).createAdminToken("r", .read, lifetime: .seconds(100))
            let writing = try authenticator.in(project).createAdminToken("w", .write, lifetime: .seconds(200))
            #expect(outcome(reading.text, .read, project) == "permitted")
            #expect(outcome(reading.text, .write, project) == "refused")
            #expect(outcome(writing.text, .read, project) == "permitted")
            #expect(outcome(writing.text, .write, project) == "permitted")
            for elsewhere in [other, nil] { #expect(outcome(writing.text, .read, elsewhere) == "refused") }
            let listed = try authenticator.in(project).adminTokens()
            #expect(Set(listed.map(\.id)) == [reading.id, writing.id])
            #expect(try authenticator.in(other).adminTokens().isEmpty)
            deployment.clock.advance(by: .seconds(100))
            #expect(outcome(reading.text, .read, project) == "invalid")
            #expect(try !authenticator.in(other).revokeAdminToken(id: writing.id))
            #expect(outcome(writing.text, .write, project) == "permitted")
            #expect(try authenticator.in(project).revokeAdminToken(id: writing.id))
            #expect(outcome(writing.text, .write, project) == "invalid")
            for (name, value) in deployment.contents() {
                for secret in [reading.text.dropFirst(4), writing.text.dropFirst(4)] {
                    #expect(!name.contains(secret) && !value.contains(secret))
                }
            }
        }

        @Test(
            "an unknown credential is invalid",
            arguments: ["", "owner", "dta_", "dta_AAAA", "dts_e30.AAAA", "a.b.c"]
        )
        func invalid(credential: String) {
            #expect(outcome(credential, .read, project) == "invalid")
        }

        /// Returns a valid assertion with some members replaced, or removed if their value is null.
        private func assertion(
            _ members: [(name: String, value: JSONValue)] = [],
            key: String = TestKeys.otherPrivateKey
        ) throws -> String {
            let now = deployment.clock.now.seconds
            var payload: [(name: String, value: JSONValue)] = [
                ("iss", .string(Self.email)), ("aud", .string(Authenticator.googleTokenAudience)),
                ("iat", .number("\(now)")), ("exp", .number("\(now + 3600)")),
            ]
            for (name, value) in members {
                payload.removeAll { $0.name == name }
                if value != .null { payload.append((name, value)) }
            }
            let body = JSONWriter.object { json in for (name, value) in payload { json.member(name, value) } }
            let text = Base64URL.string(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "." + Base64URL.string(body)
            let signature = try #require(RSAPrivateKey(pem: key)).signature(for: Array(text.utf8))
            return text + "." + Base64URL.string(signature)
        }

        private func grant(_ assertion: String) throws(GrantRefusal) -> GrantedAccess {
            try authenticator.grantAdminAccess(
                assertion: assertion,
                audiences: [Authenticator.googleTokenAudience],
                projects: [other, project]
            )
        }

        @Test("a service account's assertion gets an access token for an hour")
        func grants() throws {
            let token = try grant(try assertion()).token
            #expect(outcome(token, .write, project) == "permitted")
            #expect(outcome(token, .read, other) == "refused")
            // A service account of the same name with another key is a different account.
            let renewed = Project(
                id: "demo-app",
                authorizedDomains: [],
                customTokenIssuers: .serviceAccounts([try Self.account(TestKeys.privateKey)])
            )
            #expect(outcome(token, .read, renewed) == "refused")
            #expect(outcome(token.replacing("dts_", with: "dts_A"), .read, project) == "invalid")
            deployment.clock.advance(by: .seconds(3600))
            #expect(outcome(token, .write, project) == "invalid")
        }

        @Test(
            "an assertion with any incorrect claim is rejected",
            arguments: [
                ("iss", .string("somebody@else.example")), ("iss", .null), ("sub", .string("somebody@else.example")),
                ("aud", .string("https://example.com/token")), ("aud", .null), ("iat", .null), ("exp", .null),
                ("exp", .number("1700000000")), ("exp", .number("1700003601")), ("iat", .number("1700000061")),
            ] as [(String, JSONValue)]
        )
        func refusedAssertion(name: String, value: JSONValue) throws {
            let assertion = try assertion([(name, value)])
            #expect(throws: GrantRefusal.self) { try grant(assertion) }
        }

        @Test("an assertion signed with another key, or unsigned, is rejected")
        func forgedAssertion() throws {
            let forged = try assertion(key: TestKeys.privateKey)
            #expect(throws: GrantRefusal.self) { try grant(forged) }
            let unsigned = try assertion().split(separator: ".").dropLast().joined(separator: ".") + "."
            #expect(throws: GrantRefusal.self) { try grant(unsigned) }
        }
    }
}
