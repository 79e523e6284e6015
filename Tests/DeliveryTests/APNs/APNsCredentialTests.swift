import APNsStandIn
import Cryptography
import Delivery
import Encodings
import PhoneAuth
import Testing

@Suite struct APNsCredentialTests {
    @Test(
        "key id and team id have ten letters and digits",
        arguments: [
            ("ABC123DEFG", "TEAM456789", nil), ("abc", "TEAM456789", .malformedKeyID),
            ("ABC123DEFGH", "TEAM456789", .malformedKeyID), ("ABC123DE G", "TEAM456789", .malformedKeyID),
            ("ABC123DEFG", "", .malformedTeamID), ("ABC123DEFG", "TEAM45678é", .malformedTeamID),
        ] as [(String, String, APNsCredentialError?)]
    )
    func identifiers(keyID: String, teamID: String, error: APNsCredentialError?) {
        let pem = TestKey().pem
        #expect(failure { try .providerToken(keyID: keyID, teamID: teamID, privateKey: pem) } == error)
    }

    @Test("a signing key is a P-256 key in PEM")
    func signingKeys() throws {
        let keys = [
            "", "not a key", try RSAPrivateKey.generate().pem(), TestKey().pem.replacing("M", with: "N"),
        ]
        for pem in keys {
            let error = failure {
                try .providerToken(keyID: TestKey.keyID, teamID: TestKey.teamID, privateKey: pem)
            }
            #expect(error == .unreadableSigningKey)
        }
    }

    @Test("a client certificate needs its own private key")
    func certificates() throws {
        let authority = try TestAuthority()
        let one = try authority.clientIdentity(commonName: "one")
        let two = try authority.clientIdentity(commonName: "two")
        #expect(failure { try .clientCertificate(chain: one.certificate, privateKey: one.privateKey) } == nil)
        #expect(
            failure { try .clientCertificate(chain: one.certificate, privateKey: two.privateKey) }
                == .privateKeyOfAnotherCertificate
        )
        #expect(failure { try .clientCertificate(chain: "", privateKey: one.privateKey) } == .unreadableCertificate)
        #expect(failure { try .clientCertificate(chain: one.certificate, privateKey: "") } == .unreadablePrivateKey)
        let chain = one.certificate + "\n" + authority.certificatePEM
        #expect(failure { try .clientCertificate(chain: chain, privateKey: one.privateKey) } == nil)
        let file = one.certificate + one.privateKey
        #expect(failure { try .clientCertificate(chain: file, privateKey: file) } == nil)
    }

    @Test("a client certificate has an expiry time")
    func expiry() throws {
        let identity = try TestAuthority().clientIdentity(commonName: "one", lifetime: 86_400)
        let certificate = try ClientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
        let now = Environment.system.now()
        #expect(certificate.expiresAt > now + .seconds(86_000))
        #expect(certificate.expiresAt < now + .seconds(87_000))
    }

    @Test("reading the same key twice gives equal credentials; different keys differ")
    func equality() throws {
        let key = TestKey()
        #expect(try key.providerTokenKey() == key.providerTokenKey())
        #expect(try key.providerTokenKey() != TestKey().providerTokenKey())
        let identity = try TestAuthority().clientIdentity(commonName: "one")
        let read = {
            try APNsCredential.clientCertificate(chain: identity.certificate, privateKey: identity.privateKey)
        }
        #expect(try read() == read())
        #expect(try read().hashValue == read().hashValue)
    }

    private func failure(_ make: () throws -> APNsCredential) -> APNsCredentialError? {
        do {
            _ = try make()
            return nil
        } catch {
            return error as? APNsCredentialError
        }
    }
}
