import Cryptography
import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct GrantAdminAccessTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let other = Project(id: "other", authorizedDomains: [])

        init() throws {
            (deployment, authenticator, project) = try Deployment.withServiceAccount()
        }

        /// Returns a valid assertion with some members replaced, or removed if their value is null.
        private func assertion(
            _ members: [(name: String, value: JSONValue)] = [],
            key: String = TestKeys.otherPrivateKey
        ) throws -> String {
            let now = deployment.clock.now.seconds
            var payload: [(name: String, value: JSONValue)] = [
                ("iss", .string(ServiceAccount.email)), ("aud", .string(Authenticator.googleTokenAudience)),
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
            #expect(authenticator.outcome(of: token, .write, project) == "permitted")
            #expect(authenticator.outcome(of: token, .read, other) == "refused")
            // A service account of the same name with another key is a different account.
            let renewed = Project(
                id: "demo-app",
                authorizedDomains: [],
                customTokenIssuers: .serviceAccounts([try .make(TestKeys.privateKey)])
            )
            #expect(authenticator.outcome(of: token, .read, renewed) == "refused")
            #expect(authenticator.outcome(of: token.replacing("dts_", with: "dts_A"), .read, project) == "invalid")
            deployment.clock.advance(by: .seconds(3600))
            #expect(authenticator.outcome(of: token, .write, project) == "invalid")
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
