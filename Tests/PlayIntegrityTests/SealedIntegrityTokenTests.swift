import Cryptography
import Encodings
import IntegrityStandIn
import PhoneAuth
import PlayIntegrity
import Testing

/// Tokens that are altered, or not created as Google's are.
@Suite struct SealedIntegrityTokenTests {
    private let app: TestApp
    private let token: String

    init() throws {
        app = try TestApp()
        token = try app.tokens.token(TestApp.payload())
    }

    private func parts(_ token: String) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private func replacing(_ index: Int, by part: String) -> String {
        var parts = parts(token)
        parts[index] = part
        return parts.joined(separator: ".")
    }

    /// Returns whether a token is refused without decoding.
    private func isMalformed(_ token: String) -> Bool {
        app.apps.mayBeValid(token, of: IntegrityTokens.packageName, in: TestApp.project) == false
            && app.refusal(of: token) == .integrityTokenInvalid
    }

    @Test("a change of any part is detected")
    func tampered() throws {
        #expect(app.refusal(of: token) == nil)
        for index in 0..<5 {
            let bytes = try #require(Base64URL.decode(parts(token)[index].utf8))
            for position in [0, bytes.count / 2, bytes.count - 1] {
                var changed = bytes
                changed[position] ^= 1
                let other = replacing(index, by: Base64URL.string(changed))
                #expect(app.refusal(of: other) == .integrityTokenInvalid, "part \(index), byte \(position)")
            }
        }
    }

    @Test("a token has only one valid text, so that a used token is recognized")
    func oneText() throws {
        let all = parts(token)
        // The last characters of the wrapped key and of the tag have unused bits.
        for index in [1, 4] {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let last = try #require(all[index].last)
            let value = try #require(alphabet.firstIndex(of: last))
            let other = replacing(index, by: all[index].dropLast() + String(alphabet[value + 1]))
            #expect(isMalformed(other))
        }
        let ciphertext = try #require(Base64URL.decode(all[3].utf8))
        let tag = try #require(Base64URL.decode(all[4].utf8))
        for moved in [1, 4] {
            let shorter = [all[0], all[1], all[2], Base64URL.string(ciphertext + tag.prefix(moved))]
            #expect(isMalformed((shorter + [Base64URL.string(tag.dropFirst(moved))]).joined(separator: ".")))
            let longer = [all[0], all[1], all[2], Base64URL.string(ciphertext.dropLast(moved))]
            let longTag = Base64URL.string(ciphertext.suffix(moved) + tag)
            #expect(isMalformed((longer + [longTag]).joined(separator: ".")))
        }
        for other in [token + "=", token + " ", " " + token, token + ".", token + "\n", "." + token] {
            #expect(isMalformed(other))
        }
    }

    @Test(
        "other algorithms, compressed contents and critical extensions are refused",
        arguments: [
            #"{"alg":"none","enc":"A256GCM"}"#, #"{"alg":"dir","enc":"A256GCM"}"#,
            #"{"alg":"HS256","enc":"A256GCM"}"#, #"{"alg":"A128KW","enc":"A256GCM"}"#,
            #"{"alg":"RSA-OAEP","enc":"A256GCM"}"#, #"{"alg":"a256kw","enc":"A256GCM"}"#,
            #"{"alg":"A256KW","enc":"A128GCM"}"#, #"{"alg":"A256KW","enc":"A256CBC-HS512"}"#,
            #"{"alg":"A256KW","enc":"A256GCM","zip":"DEF"}"#, #"{"alg":"A256KW","enc":"A256GCM","zip":null}"#,
            #"{"alg":"A256KW","enc":"A256GCM","crit":["exp"],"exp":1}"#, #"{"enc":"A256GCM"}"#, #"{"alg":"A256KW"}"#,
            #"{"alg":["A256KW"],"enc":"A256GCM"}"#, #"{"alg":"A256KW","enc":"A256GCM","alg":"dir"}"#,
            #"["A256KW","A256GCM"]"#, "", "{", #"{"alg":"A256KW","enc":"A256GCM"} x"#,
        ]
    )
    func algorithms(header: String) throws {
        #expect(isMalformed(try app.tokens.token(TestApp.payload().text, header: header)))
    }

    @Test("header members that do not affect the algorithms are ignored")
    func otherMembers() throws {
        let header = #"{"alg":"A256KW","enc":"A256GCM","kid":"1","cty":"JWT","typ":"JOSE"}"#
        #expect(app.refusal(of: try app.tokens.token(TestApp.payload().text, header: header)) == nil)
    }

    @Test(
        "a text that is not a token is refused",
        arguments: [
            "", "t", "....", "a.b.c", "a.b.c.d.e", String(repeating: "A", count: 8193),
            String(repeating: ".", count: 100_000), "e30.e30.e30.e30.e30", "e30.e30.e30", "é.é.é.é.é",
        ]
    )
    func noTokens(text: String) {
        #expect(isMalformed(text))
    }

    @Test("a token may be at most 8192 characters long")
    func size() throws {
        let payload = TestApp.payload().text.dropLast() + #","padding":""#
        var longest = ""
        var longer = ""
        for padding in stride(from: 3800, to: 5000, by: 3) where longer.isEmpty {
            let token = try app.tokens.token(payload + String(repeating: "x", count: padding) + #""}"#)
            if token.utf8.count <= 8192 { longest = token } else { longer = token }
        }
        #expect(longest.utf8.count > 8180 && longer.utf8.count < 8210)
        #expect(app.refusal(of: longest) == nil)
        #expect(isMalformed(longer))
    }

    @Test("a token with another encryption or signing key is refused")
    func otherKeys() throws {
        let others = try IntegrityTokens()
        #expect(app.refusal(of: try others.token(TestApp.payload())) == .integrityTokenInvalid)
        let signed = try app.tokens.token(
            TestApp.payload().text,
            signature: { try others.signingKey.signature(for: $0) }
        )
        #expect(app.refusal(of: signed) == .integrityTokenInvalid)
    }

    @Test(
        "the content must be signed with ES256",
        arguments: [
            #"{"alg":"none"}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS256"}"#, #"{"alg":"ES384"}"#, #"{"alg":"es256"}"#,
            #"{}"#, #"{"alg":"ES256","crit":["b64"],"b64":false}"#, #"{"alg":null}"#, "[]",
        ]
    )
    func signedHeader(header: String) throws {
        let token = try app.tokens.token(TestApp.payload().text, signedHeader: header)
        #expect(app.refusal(of: token) == .integrityTokenInvalid)
    }

    @Test("a signature that is missing, made with the public key, zero or in DER is refused")
    func signatures() throws {
        let payload = TestApp.payload().text
        let point = try app.tokens.signingKey.publicKey.der()
        let signatures: [([UInt8]) throws -> [UInt8]] = [
            { _ in [] }, { _ in [UInt8](repeating: 0, count: 64) },
            { HMAC.authenticationCode(.sha256, for: $0, key: point) },
            { try app.tokens.signingKey.signature(for: $0 + [0]) },
            { [0x30, 0x44, 0x02, 0x20] + (try app.tokens.signingKey.signature(for: $0)) },
        ]
        for signature in signatures {
            let token = try app.tokens.token(payload, signature: signature)
            #expect(app.refusal(of: token) == .integrityTokenInvalid)
        }
    }

    @Test("a content that is not a signed object is refused, whatever it is")
    func contents() throws {
        let contents = [
            "{}", TestApp.payload().text, "a.b.c", "..", String(repeating: "[", count: 3000), "\u{0}",
        ]
        for content in contents {
            #expect(app.refusal(of: try app.tokens.sealed(Array(content.utf8))) == .integrityTokenInvalid)
        }
        #expect(app.refusal(of: try app.tokens.sealed([0xFF, 0xFE])) == .integrityTokenInvalid)
        for payload in ["", "{", "[]", "null", #"{"requestDetails":"#, String(repeating: "[", count: 3000)] {
            #expect(app.refusal(of: try app.tokens.token(payload)) == .integrityTokenInvalid)
        }
        for payload in ["{}", #"{"requestDetails":[]}"#, #"{"requestDetails":{"requestPackageName":1}}"#] {
            #expect(app.refusal(of: try app.tokens.token(payload)) == .integrityPackageOther)
        }
    }

    @Test("printing keys and tokens shows no secret")
    func secrecy() throws {
        let keys = try ResponseKeys(file: Array(app.tokens.keyFile().utf8))
        #expect("\(keys)" == "ResponseKeys(…)")
        #expect("\(TestApp.request(token))".contains("e") && !"\(TestApp.request(token))".contains(token.suffix(20)))
    }
}
