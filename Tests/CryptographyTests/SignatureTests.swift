import Cryptography
import Encodings
import Processes
import TestServers
import Testing

@Suite struct SignatureTests {
    private static let message = Array("header.payload".utf8)

    @Test("openssl accepts an RS256 signature, and the library accepts openssl's")
    func rsaBesideOpenSSL() throws {
        let folder = try TemporaryFolder()
        let key = try RSAPrivateKey.generate()
        try folder.write(key.pem(), to: "private.pem")
        try folder.write(key.publicKey.pem(), to: "public.pem")
        try folder.write("header.payload", to: "message")
        let signature = try key.signature(for: Self.message)
        #expect(signature.count == 256)
        #expect(key.publicKey.isValid(signature, for: Self.message))
        let path = { folder.path(of: $0) }
        try OpenSSL.run(
            "dgst",
            "-sha256",
            "-sign",
            path("private.pem"),
            "-out",
            path("signature"),
            path("message")
        )
        // The signature is deterministic (RFC 8017 § 8.2), so both must be equal.
        #expect(readBytes(path("signature")) == signature)
        try OpenSSL.run(
            "dgst",
            "-sha256",
            "-verify",
            path("public.pem"),
            "-signature",
            path("signature"),
            path("message")
        )
    }

    @Test("a signature is valid only for its message and key")
    func rsaValidity() throws {
        let key = try RSAPrivateKey.generate()
        let signature = try key.signature(for: Self.message)
        for index in [0, 100, 255] {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.publicKey.isValid(changed, for: Self.message))
        }
        #expect(!key.publicKey.isValid(signature, for: Self.message + [0]))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: Self.message))
        #expect(!key.publicKey.isValid([], for: Self.message))
        #expect(!(try RSAPrivateKey.generate().publicKey.isValid(signature, for: Self.message)))
        #expect(key.publicKey.isValid(signature, for: Self.message))
    }

    @Test("keys in PKCS #1, PKCS #8 and SubjectPublicKeyInfo form are read")
    func rsaForms() throws {
        let folder = try TemporaryFolder()
        let key = try RSAPrivateKey.generate()
        try folder.write(key.pem(), to: "pkcs8.pem")
        let pkcs1 = try OpenSSL.run("rsa", "-in", folder.path(of: "pkcs8.pem"), "-traditional")
        #expect(pkcs1.hasPrefix("-----BEGIN RSA PRIVATE KEY-----"))
        let publicPKCS1 = try OpenSSL.run("rsa", "-in", folder.path(of: "pkcs8.pem"), "-RSAPublicKey_out")
        #expect(publicPKCS1.hasPrefix("-----BEGIN RSA PUBLIC KEY-----"))
        for pem in [try key.pem(), pkcs1] {
            let read = try #require(RSAPrivateKey(pem: pem))
            #expect(read.publicKey.modulus == key.publicKey.modulus)
            #expect(read.publicKey.exponent == [1, 0, 1])
            #expect(read.publicKey.bitCount == 2048)
        }
        for pem in [try key.publicKey.pem(), publicPKCS1] {
            #expect(try #require(RSAPublicKey(pem: pem)).modulus == key.publicKey.modulus)
        }
    }

    @Test("a text that is not an RSA key is rejected, and so is an encrypted key, without asking for a passphrase")
    func rsaRefusals() throws {
        let folder = try TemporaryFolder()
        let key = try RSAPrivateKey.generate()
        try folder.write(key.pem(), to: "key.pem")
        let encrypted = try OpenSSL.run(
            "pkcs8",
            "-topk8",
            "-in",
            folder.path(of: "key.pem"),
            "-passout",
            "pass:correct",
            "-v2",
            "aes256"
        )
        #expect(encrypted.hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
        let refused = [
            "", "-----BEGIN PRIVATE KEY-----", encrypted, try key.publicKey.pem(), try P256PrivateKey.generate().pem(),
            String(try key.pem().dropFirst(60)),
        ]
        for pem in refused { #expect(RSAPrivateKey(pem: pem) == nil) }
        for pem in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"] {
            #expect(RSAPublicKey(pem: pem) == nil)
        }
    }

    @Test("threads that sign with the same key get the same signature as one thread")
    func rsaThreads() throws {
        let key = try RSAPrivateKey.generate()
        let expected = try key.signature(for: Self.message)
        let signatures = try inParallel(20) { _ in try (0..<5).map { _ in try key.signature(for: Self.message) } }
        for signature in signatures.joined() { #expect(signature == expected) }
    }

    @Test("threads can read keys concurrently")
    func concurrentReading() throws {
        let key = try RSAPrivateKey.generate()
        let texts = (try key.pem(), try key.publicKey.pem(), try P256PrivateKey.generate().pem())
        let failures = try inParallel(16) { _ in
            (0..<200).count { _ in
                RSAPrivateKey(pem: texts.0) == nil || RSAPublicKey(pem: texts.1) == nil
                    || P256PrivateKey(pem: texts.2) == nil
            }
        }
        #expect(failures.reduce(0, +) == 0)
    }

    @Test("openssl accepts an ES256 signature, which is 64 bytes")
    func ecdsa() throws {
        let folder = try TemporaryFolder()
        let key = try P256PrivateKey.generate()
        let signature = try key.signature(for: Self.message)
        #expect(signature.count == 64)
        #expect(key.publicKey.isValid(signature, for: Self.message))
        #expect(!key.publicKey.isValid(signature, for: Self.message + [0]))
        #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: Self.message))
        #expect(!key.publicKey.isValid([UInt8](repeating: 0, count: 64), for: Self.message))
        #expect(key.publicKey.point.count == 65 && key.publicKey.point[0] == 4)
        let read = try #require(P256PrivateKey(pem: try key.pem()))
        #expect(read.publicKey.point == key.publicKey.point)
        #expect(read.publicKey.isValid(signature, for: Self.message))
        try folder.write(key.pem(), to: "key.pem")
        let sec1 = try OpenSSL.run("ec", "-in", folder.path(of: "key.pem"))
        #expect(try #require(P256PrivateKey(pem: sec1)).publicKey.point == key.publicKey.point)
    }

    @Test("a public key is read from its DER encoding, which nothing may follow")
    func publicKey() throws {
        let key = try P256PrivateKey.generate()
        let signature = try key.signature(for: Self.message)
        let der = try key.publicKey.der()
        let read = try #require(P256PublicKey(der: der))
        #expect(read.point == key.publicKey.point)
        #expect(read.isValid(signature, for: Self.message))
        #expect(try !P256PrivateKey.generate().publicKey.isValid(signature, for: Self.message))
        for other in [[], Array(der.dropLast()), der + [0], Array(der.dropFirst()), key.publicKey.point] {
            #expect(P256PublicKey(der: other) == nil)
        }
        // A point that is not on the curve.
        #expect(P256PublicKey(der: der.dropLast() + [der[der.count - 1] ^ 1]) == nil)
    }

    @Test("a key on another curve is rejected")
    func otherCurve() throws {
        let folder = try TemporaryFolder()
        let pem = try OpenSSL.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")
        #expect(P256PrivateKey(pem: pem) == nil)
        #expect(P256PrivateKey(pem: try RSAPrivateKey.generate().pem()) == nil)
        try folder.write(pem, to: "key.pem")
        let publicPEM = try OpenSSL.run("pkey", "-in", folder.path(of: "key.pem"), "-pubout")
        let base64 = publicPEM.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        #expect(P256PublicKey(der: try #require(Base64.decode(eitherAlphabet: base64.utf8))) == nil)
        #expect(P256PublicKey(der: try RSAPrivateKey.generate().publicKey.der()) == nil)
    }
}
