import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

/// Rotations of the secrets: the data keys, and the server keys from which codes and authenticators are derived.
@Suite struct KeyFileSecretRotationTests {
    private let clock = SettableEnvironment(seed: 1)
    private let file = TestKeys.file()

    private func states(_ text: [UInt8]) throws -> [UInt8: SecretKeyState] {
        let states = try KeyFile.parse(text).secretStates(at: clock.now)
        return Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0.state) })
    }

    private func sealedID(_ keys: ServerKeys) throws -> UInt8? {
        try keys.data.seal([1], context: SealingContext("test", of: ""), clock.environment).first
    }

    @Test("new secrets take effect at their time, and from then on the older ones only decrypt")
    func life() throws {
        #expect(try states(file) == [1: .used(since: nil)])
        let rotated = try KeyFile.rotateSecrets(file, after: .seconds(3600), clock.environment)
        #expect(rotated.id == 2)
        let keys = try KeyFile.parse(rotated.text)
        keys.advance(to: clock.now)
        #expect(try states(rotated.text) == [1: .used(since: nil), 2: .next(usedFrom: rotated.usedFrom)])
        #expect(try sealedID(keys) == 1)
        #expect(throws: SecretRotationRefusal.nextSecretsWait(id: 2, usedFrom: rotated.usedFrom)) {
            try KeyFile.rotateSecrets(rotated.text, after: .seconds(1), clock.environment)
        }
        clock.advance(by: .seconds(3601))
        keys.advance(to: clock.now)
        #expect(try states(rotated.text) == [1: .reading, 2: .used(since: rotated.usedFrom)])
        #expect(try sealedID(keys) == 2)
        #expect(try KeyFile.rotateSecrets(rotated.text, after: .seconds(1), clock.environment).id == 3)
    }

    @Test("new secrets are loaded, but a file that lacks current ones is rejected")
    func adopt() throws {
        let rotated = try KeyFile.rotateSecrets(file, after: .zero, clock.environment)
        clock.advance(by: .seconds(1))
        let keys = try KeyFile.parse(file)
        let copy = keys
        #expect(try !keys.adopt(KeyFile.parse(rotated.text), at: clock.now), "the signing keys are the same")
        #expect(try sealedID(copy) == 2)
        let refusal = KeyFileError(description: "dataKeys: a key is missing, so what it encrypted could not be read")
        #expect(throws: refusal) { try keys.adopt(KeyFile.parse(file), at: clock.now) }
        #expect(try sealedID(copy) == 2)
    }

    @Test("authenticators of older generations are accepted, and those of another deployment are not")
    func authenticators() throws {
        let keys = try KeyFile.parse(file)
        let account = AdminAccessToken(mark: "account", expiresAt: 1).text(keys)
        let id = PushReceiptID(shard: Shard(index: 0), bytes: clock.randomBytes(PushReceiptID.byteCount))
        let receipt = PushReceipt(id: try #require(id))
        let secret = receipt.secret(for: "app", in: "demo", keys)
        let rotated = try KeyFile.rotateSecrets(file, after: .zero, clock.environment)
        clock.advance(by: .seconds(1))
        _ = try keys.adopt(KeyFile.parse(rotated.text), at: clock.now)
        #expect(AdminAccessToken(account, keys)?.mark == "account")
        #expect(AdminAccessToken(mark: "account", expiresAt: 1).text(keys) != account)
        #expect(receipt.hasSecret(secret, for: "app", in: "demo", keys))
        #expect(receipt.secret(for: "app", in: "demo", keys) != secret)
        let others = try TestKeys.make(seed: 2)
        #expect(AdminAccessToken(account, others) == nil)
        #expect(!receipt.hasSecret(secret, for: "app", in: "demo", others))
    }

    @Test("a file with a malformed server key or generation time is rejected with the field's name")
    func malformed() throws {
        let rotated = String(
            decoding: try KeyFile.rotateSecrets(file, after: .zero, clock.environment).text,
            as: UTF8.self
        )
        let changes = [
            (#""usedFrom":"#, #""usedFrom":-"#, "dataKeys[1].usedFrom: expected whole seconds since 1970"),
            (#","serverKey":""#, #","serverKey":"A"#, ""),
        ]
        for (text, other, description) in changes {
            let changed = rotated.split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
            let error = #expect(throws: KeyFileError.self) { try KeyFile.parse(Array(changed.utf8)) }
            if !description.isEmpty { #expect(error?.description == description) }
        }
    }
}
