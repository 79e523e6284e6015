import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct PushRequestTests {
        @Test("a push has exactly the path, headers and payload that APNs and the SDKs expect")
        func exactRequest() async throws {
            try await APNsPair.run { pair in
                #expect(await pair.push(to: Example.device.uppercased()) == .delivered(.production))
                let push = try #require(pair.production.pushes.first)
                #expect(push.method == "POST")
                #expect(push.path == "/3/device/\(Example.device)")
                #expect(
                    push.text == #"{"aps":{"content-available":1},"com.google.firebase.auth":{"#
                        + #""receipt":"receipt-of-the-example","secret":"secret-of-the-example"}}"#
                )
                var fields = Dictionary(push.headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
                let authorization = fields.removeValue(forKey: "authorization") ?? ""
                #expect(
                    fields == [
                        "apns-push-type": "background", "apns-priority": "5", "apns-topic": Example.bundleID,
                        "apns-expiration": "1790000005", "content-type": "application/json",
                        "content-length": String(push.body.count),
                    ]
                )
                #expect(authorization.hasPrefix("bearer "))
                #expect(pair.key.verified(String(authorization.dropFirst(7))) != nil)
                #expect(push.clientSubject == nil)
            }
        }

        @Test("the sandbox is tried first if it is listed first")
        func sandboxFirst() async throws {
            try await APNsPair.run { pair in
                #expect(await pair.push(tryingFirst: .sandbox) == .delivered(.sandbox))
                #expect(pair.production.pushes.isEmpty)
            }
        }

        @Test("one provider token serves many pushes and is renewed when it is 40 minutes old")
        func tokenReuse() async throws {
            try await APNsPair.run { pair in
                for _ in 0..<20 { _ = await pair.push() }
                #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 1)
                pair.clock.advance(by: .seconds(39 * 60))
                _ = await pair.push(tryingFirst: .sandbox)
                #expect(
                    pair.sandbox.pushes.first?.header("authorization")
                        == pair.production.pushes[0].header("authorization")
                )
                pair.clock.advance(by: .seconds(60))
                for _ in 0..<20 { _ = await pair.push() }
                #expect(Set(pair.production.pushes.suffix(20).map { $0.header("authorization") }).count == 1)
                #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 2)
            }
        }

        @Test("two apps with one key share token and connection, and another key has separate ones")
        func sharedKey() async throws {
            try await APNsPair.run { pair in
                let same = APNsCredential.providerToken(try pair.key.providerTokenKey())
                let other = APNsCredential.providerToken(try TestKey().providerTokenKey())
                for credential in [pair.credential, same, other] { _ = await pair.push(as: credential) }
                let pushes = pair.production.pushes
                #expect(pushes[0].header("authorization") == pushes[1].header("authorization"))
                #expect(pushes[0].header("authorization") != pushes[2].header("authorization"))
                #expect(pushes.map(\.connection) == [1, 1, 2])
            }
        }

        @Test("a client certificate replaces the token, and each certificate has its own connection")
        func clientCertificate() async throws {
            try await APNsPair.run(isVerifyingClients: true) { pair in
                for name in ["one", "two", "one"] {
                    _ = await pair.push(as: try Self.certificate(name, pair.production.authority))
                }
                let subjects = pair.production.pushes.map(\.clientSubject)
                #expect(subjects == ["CN=one", "CN=two", "CN=one"])
                #expect(pair.production.pushes.allSatisfy { $0.header("authorization") == nil })
            }
        }

        @Test("one certificate uses one connection")
        func certificateConnection() async throws {
            try await APNsPair.run(isVerifyingClients: true) { pair in
                let credential = try Self.certificate("one", pair.production.authority)
                for _ in 0..<5 { #expect(await pair.push(as: credential) == .delivered(.production)) }
                #expect(pair.production.connectionCount == 1)
            }
        }

        @Test("a certificate that APNs does not trust ends the connection, and doctor reports the likely cause")
        func foreignCertificate() async throws {
            try await APNsPair.run(isVerifyingClients: true) { pair in
                let credential = try Self.certificate("one", TestAuthority())
                let outcome = await pair.push(as: credential)
                #expect(outcome == .retry(after: nil, .transport(.connectionLost)))
                let diagnosis = await pair.client.diagnose(credential, topic: pair.topic, environments: [.production])
                #expect(
                    diagnosis.line == "production: \(pair.production.url) closed the connection without a response; "
                        + "it may reject the client certificate"
                )
                #expect(pair.production.pushes.isEmpty)
            }
        }

        private static func certificate(
            _ name: String,
            _ authority: TestAuthority
        ) throws -> APNsCredential {
            let identity = try authority.clientIdentity(commonName: name)
            return try .clientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
        }
    }
}
