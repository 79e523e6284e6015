import APNsStandIn
import Delivery
import Encodings
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct DiagnosisTests {
        static let withoutDevice:
            [(production: ScriptedAnswer, sandbox: ScriptedAnswer, isHealthy: Bool, line: String)] = [
                (
                    .refused(400, "BadDeviceToken"), .refused(400, "BadDeviceToken"), true,
                    "production and sandbox: key ABC123DEFG of team TEAM456789 and com.example.app are valid, "
                        + "as far as APNs checks them without a device"
                ),
                (
                    .refused(400, "BadDeviceToken"), .refused(403, "BadEnvironmentKeyInToken"), false,
                    "production: key ABC123DEFG of team TEAM456789 and com.example.app are valid, as far as APNs "
                        + "checks them without a device; "
                        + "sandbox: key ABC123DEFG of team TEAM456789 is not allowed in this environment"
                ),
                (
                    .refused(403, "InvalidProviderToken"), .refused(403, "InvalidProviderToken"), false,
                    "production and sandbox: key id, team id and signing key do not match: "
                        + "key ABC123DEFG of team TEAM456789"
                ),
                (
                    .refused(403, "ExpiredProviderToken"), .refused(403, "ExpiredProviderToken"), false,
                    "production and sandbox: APNs reports a new provider token as expired: check this machine's clock"
                ),
                (
                    .refused(400, "TopicDisallowed"), .refused(400, "TopicDisallowed"), false,
                    "production and sandbox: key ABC123DEFG of team TEAM456789 may not push to com.example.app: "
                        + "check the bundle id and its team"
                ),
                (
                    .refused(400, "BadTopic"), .refused(400, "BadTopic"), false,
                    "production and sandbox: APNs does not accept com.example.app as a bundle id"
                ),
                (
                    .refused(503, "Shutdown"), .refused(418, "Teapot"), false,
                    "production: APNs asks to retry later (Shutdown); the configuration could not be checked; "
                        + "sandbox: APNs rejected the push (status 418)"
                ),
            ]

        static let withDevice: [(production: ScriptedAnswer, sandbox: ScriptedAnswer, isHealthy: Bool, line: String)] =
            [
                (
                    .refused(400, "BadDeviceToken"), .accepted, true,
                    "production: APNs does not know this device token; sandbox: APNs accepted the push: "
                        + "key ABC123DEFG of team TEAM456789, com.example.app and the device match"
                ),
                (
                    .refused(400, "BadDeviceToken"), .refused(400, "BadDeviceToken"), false,
                    "production and sandbox: APNs does not know this device token"
                ),
                (
                    .refused(400, "DeviceTokenNotForTopic"), .refused(400, "BadDeviceToken"), false,
                    "production: the device token belongs to a different app than com.example.app: "
                        + "check the bundle id; "
                        + "sandbox: APNs does not know this device token"
                ),
                (
                    .refused(410, "Unregistered"), .refused(400, "BadDeviceToken"), false,
                    "production: com.example.app is no longer installed on this device; "
                        + "sandbox: APNs does not know this device token"
                ),
            ]

        @Test("without a device, one line describes key, topic and environments", arguments: 0..<withoutDevice.count)
        func credential(row: Int) async throws {
            let trial = Self.withoutDevice[row]
            try await APNsPair.run { pair in
                pair.production.answer(Example.device(0), with: trial.production)
                pair.sandbox.answer(Example.device(0), with: trial.sandbox)
                let diagnosis = await pair.client.diagnose(pair.credential, topic: pair.topic)
                #expect(diagnosis.line == trial.line)
                #expect(diagnosis.isHealthy == trial.isHealthy)
            }
        }

        @Test("with a device, one line names its environment", arguments: 0..<withDevice.count)
        func device(row: Int) async throws {
            let trial = Self.withDevice[row]
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: trial.production)
                pair.sandbox.answer(Example.device, with: trial.sandbox)
                let diagnosis = await pair.client.diagnose(
                    pair.credential,
                    topic: pair.topic,
                    deviceToken: DeviceToken(hexadecimal: Example.device)
                )
                #expect(diagnosis.line == trial.line)
                #expect(diagnosis.isHealthy == trial.isHealthy)
            }
        }

        @Test("only the requested environments are tested")
        func oneEnvironment() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.refused(400, "BadDeviceToken"))
                let diagnosis = await pair.client.diagnose(
                    pair.credential,
                    topic: pair.topic,
                    environments: [.production]
                )
                #expect(diagnosis.isHealthy)
                #expect(diagnosis.line.hasPrefix("production: "))
                #expect(pair.sandbox.pushes.isEmpty)
            }
        }

        @Test("a client certificate for another app or environment is reported")
        func certificates() async throws {
            try await APNsPair.run { pair in
                pair.production.queue(.refused(400, "TopicDisallowed"))
                pair.sandbox.queue(.refused(403, "BadCertificateEnvironment"))
                let diagnosis = await pair.client.diagnose(try Self.certificate(pair), topic: pair.topic)
                #expect(
                    diagnosis.line == "production: the client certificate may not push to com.example.app: "
                        + "check the bundle id and its team; "
                        + "sandbox: the client certificate is not for this environment"
                )
                #expect(!diagnosis.isHealthy)
            }
        }

        @Test("an expired client certificate is not tried")
        func expiredCertificate() async throws {
            try await APNsPair.run { pair in
                let identity = try pair.production.authority.clientIdentity(commonName: "one")
                let certificate = try ClientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
                let rest = certificate.expiresAt.milliseconds - pair.clock.now.milliseconds
                pair.clock.advance(by: .milliseconds(rest))
                let diagnosis = await pair.client.diagnose(.clientCertificate(certificate), topic: pair.topic)
                #expect(diagnosis.line == "the client certificate has expired: request a new one from Apple")
                #expect(!diagnosis.isHealthy)
                #expect(pair.production.pushes.isEmpty)
            }
        }

        private static func certificate(_ pair: APNsPair) throws -> APNsCredential {
            let identity = try pair.production.authority.clientIdentity(commonName: "one")
            return try .clientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
        }
    }
}
