import APNsStandIn
import PhoneAuth
import RedisScripts
import Testing

@testable import Delivery

@Suite struct SecrecyTests {
    @Test("printing, interpolating or dumping a value shows no key, token, receipt or secret")
    func values() throws {
        let key = TestKey()
        let tokenKey = try key.providerTokenKey()
        let token = try tokenKey.token(at: SettableClock.start)
        let identity = try TestAuthority().clientIdentity(commonName: "one")
        let certificate = try ClientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
        let device = try #require(DeviceToken(hexadecimal: Example.device))
        let notification = Example.notification(to: device, try Example.topic())
        let values: [Any] = [
            tokenKey, token, certificate, notification, notification.deviceToken,
            APNsCredential.providerToken(tokenKey), APNsCredential.clientCertificate(certificate),
            [notification], [tokenKey: notification], Optional(token) as Any,
        ]
        let secrets = [
            Example.receipt, Example.secret, String(Example.device.prefix(16)), token.encoded,
            String(token.encoded.prefix(20)), Self.body(key.pem), Self.body(identity.privateKey), "BEGIN",
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(describing: value), String(reflecting: value), dumped] {
                for secret in secrets { #expect(!text.contains(secret), "\(type(of: value)) shows a secret") }
            }
        }
    }

    @Test("printing a device token shows at most its last four digits, and none of a short token")
    func deviceTokens() throws {
        #expect("\(try #require(DeviceToken(hexadecimal: "a1b2")))" == "••••")
        #expect("\(try #require(DeviceToken(hexadecimal: Example.device)))" == "••••a1a1")
    }

    @Test(
        "errors contain no key",
        arguments: ["MIGHAgEA-not-a-key", "-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END PRIVATE KEY-----"]
    )
    func errors(pem: String) {
        do throws(APNsCredentialError) {
            _ = try ProviderTokenKey(keyID: TestKey.keyID, teamID: TestKey.teamID, privateKey: pem)
            Issue.record("taken for a key")
        } catch {
            #expect(!"\(error)".contains("MIGHAgEA"))
            #expect(!String(reflecting: error).contains("MIGHAgEA"))
        }
    }

    private static func body(_ pem: String) -> String {
        String(pem.split(separator: "\n").dropFirst().first ?? "").prefix(24).description
    }
}
