import Cryptography
import Encodings
import IntegrityStandIn
import PlayIntegrity
import Testing

@Suite struct ResponseKeysTests {
    private static func error(_ file: String) -> ResponseKeysError? {
        do throws(ResponseKeysError) {
            _ = try ResponseKeys(file: Array(file.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("the file of the keys may have comments, spaces and Windows line endings")
    func spellings() throws {
        let lines = try IntegrityTokens().keyFile().split(separator: "\n").map(String.init)
        for file in [
            lines.joined(separator: "\n"), lines.reversed().joined(separator: "\r\n") + "\r\n",
            "# Keys\n\n" + lines.joined(separator: "\n\n"),
            lines.map { $0.replacing("Y=", with: "Y = ") }.joined(separator: "\n"),
        ] {
            #expect(Self.error(file) == nil)
        }
    }

    @Test("an error names a missing or malformed key")
    func malformed() throws {
        let lines = try IntegrityTokens().keyFile().split(separator: "\n").map(String.init)
        let (decryption, verification) = (lines[0], lines[1])
        for other in [
            "", "DECRYPTION_KEY=", "DECRYPTION_KEY=AAAA", "DECRYPTION_KEY=é", decryption + "AAAA", "#" + decryption,
        ] {
            #expect(Self.error(other + "\n" + verification) == .decryptionKey)
        }
        let rsa = Base64.encode(try RSAPrivateKey.generate().publicKey.der())
        for other in ["", "VERIFICATION_KEY=AAAA", "VERIFICATION_KEY=" + rsa, String(verification.dropLast(8))] {
            #expect(Self.error(decryption + "\n" + other) == .verificationKey)
        }
    }
}
