import Cryptography
import Processes
import TestServers
import Testing

@Suite struct CertificateTests {
    @Test("openssl reads a self-signed certificate with the given values")
    func selfSigned() throws {
        let folder = try TemporaryFolder()
        let certificate = try Certificate(
            subject: "dialtone-token-signer",
            key: .rsa(try RSAPrivateKey.generate()),
            validity: 1_700_000_000...2_100_000_000,
            serialNumber: [0x12, 0x34],
            extensions: [
                Certificate.Extension("basicConstraints", "critical,CA:FALSE"),
                Certificate.Extension("keyUsage", "critical,digitalSignature"),
            ]
        )
        try folder.write(certificate.pem, to: "certificate.pem")
        let text = try OpenSSL.run("x509", "-in", folder.path(of: "certificate.pem"), "-noout", "-text")
        for part in [
            "Version: 3", "Serial Number: 4660", "sha256WithRSAEncryption", "Issuer: CN = dialtone-token-signer",
            "Subject: CN = dialtone-token-signer", "Not Before: Nov 14 22:13:20 2023 GMT",
            "Not After : Jul 18 13:20:00 2036 GMT", "X509v3 Basic Constraints: critical", "CA:FALSE",
            "X509v3 Key Usage: critical", "Digital Signature",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        try OpenSSL.run(
            "verify",
            "-CAfile",
            folder.path(of: "certificate.pem"),
            "-partial_chain",
            folder.path(of: "certificate.pem")
        )
    }

    @Test("an authority signs the certificate of another key")
    func issued() throws {
        let folder = try TemporaryFolder()
        let authority = try P256PrivateKey.generate()
        let root = try Certificate(
            subject: "Test authority",
            key: .p256(authority),
            validity: 1_700_000_000...4_000_000_000,
            serialNumber: [1],
            extensions: [
                Certificate.Extension("basicConstraints", "critical,CA:TRUE"),
                Certificate.Extension("keyUsage", "critical,keyCertSign"),
            ]
        )
        let server = try Certificate(
            subject: "127.0.0.1",
            key: .p256(try P256PrivateKey.generate()),
            issuer: ("Test authority", .p256(authority)),
            validity: 1_700_000_000...4_000_000_000,
            serialNumber: [2],
            extensions: [Certificate.Extension("subjectAltName", "DNS:localhost,IP:127.0.0.1")]
        )
        try folder.write(root.pem, to: "root.pem")
        try folder.write(server.pem, to: "server.pem")
        try OpenSSL.run(
            "verify",
            "-CAfile",
            folder.path(of: "root.pem"),
            "-verify_ip",
            "127.0.0.1",
            folder.path(of: "server.pem")
        )
    }

    @Test("an extension that is unknown to OpenSSL is rejected")
    func unknownExtension() {
        #expect(throws: CryptographyFailure.self) {
            try Certificate(
                subject: "x",
                key: .p256(try P256PrivateKey.generate()),
                validity: 0...1,
                serialNumber: [1],
                extensions: [Certificate.Extension("noSuchExtension", "x")]
            )
        }
    }
}
