import Foundation
import Processes
import TestServers
import Testing

@testable import DialtoneAuth

@Suite struct PinningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "dialtone-pins") }

    /// Runs a command from the guide to pins, in the folder of the certificates.
    @discardableResult private func shell(_ command: String) throws -> String {
        let finished = try FinishedProcess.run("sh", ["-c", "cd '\(folder.path)' && \(command)"])
        guard finished.status == .exited(0) else { throw ServerFailure(description: finished.errors) }
        return finished.output
    }

    /// Issues a certificate of a key from a test authority.
    ///
    /// - Returns: the certificates of the server and of the authority in DER, and the server's in PEM as a file.
    private func chain(_ key: String) throws -> (server: [UInt8], authority: [UInt8]) {
        try shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem \
            -subj '/CN=Test authority' -days 1 2>/dev/null
            openssl req -new -newkey \(key) -nodes -keyout server.key -out server.csr \
            -subj '/O=\(String(repeating: "x", count: 60))/CN=localhost' 2>/dev/null
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 -out server.pem \
            2>/dev/null
            openssl x509 -in server.pem -outform der -out server.der
            openssl x509 -in ca.pem -outform der -out ca.der
            """
        )
        return (try bytes("server.der"), try bytes("ca.der"))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))))
    }

    /// Returns a certificate's pin, printed as in the guide.
    private func pin(_ file: String) throws -> String {
        try shell(
            "openssl x509 -in \(file) -noout -pubkey | openssl pkey -pubin -outform der "
                + "| openssl dgst -sha256 -binary | openssl base64"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "the pin of a certificate is that printed by openssl",
        arguments: [
            "rsa:2048", "rsa:4096", "ec -pkeyopt ec_paramgen_curve:P-256", "ec -pkeyopt ec_paramgen_curve:P-384",
        ]
    )
    func openssl(key: String) throws {
        let (server, authority) = try chain(key)
        let pins = (server: try pin("server.pem"), authority: try pin("ca.pem"))
        #expect(PublicKeyPin(ofCertificate: server) == PublicKeyPin(pins.server))
        #expect(PublicKeyPin(ofCertificate: authority) == PublicKeyPin(pins.authority))
        #expect(PublicKeyPin(pins.server) != PublicKeyPin(pins.authority))

        let other = Data(repeating: 7, count: 32).base64EncodedString()
        for (texts, isAccepted) in [
            ([pins.server], true), ([pins.authority], true), ([other, pins.server], true), ([other], false),
        ] {
            let pins = try #require(PublicKeyPins(texts))
            #expect((pins.refusal(of: [server, authority], isTrusted: true) == nil) == isAccepted)
            #expect(pins.refusal(of: [server, authority], isTrusted: false) == .untrusted)
            #expect(pins.refusal(of: [], isTrusted: true) == .unpinned)
        }
    }

    @Test("pins without a backup are reported: a single pin, even in two formats, and pins of one chain")
    func backup() throws {
        let (server, authority) = try chain("ec -pkeyopt ec_paramgen_curve:P-256")
        let (own, issuer) = (try pin("server.pem"), try pin("ca.pem"))
        let hexadecimal = try #require(Data(base64Encoded: own)).map { String(format: "%02x", $0) }.joined()
        let backup = Data(repeating: 7, count: 32).base64EncodedString()
        for (texts, isFine) in [
            ([own], false), ([own, "sha256/\(hexadecimal)"], false), ([own, issuer], false), ([own, backup], true),
            ([own, issuer, backup], true),
        ] {
            let pins = try #require(PublicKeyPins(texts))
            let count = pins.backupCount(besides: [server, authority])
            #expect(AuthDiagnosis(of: pins, backupCount: count, isEnforced: true).isFine == isFine)
            #expect(!AuthDiagnosis(of: pins, backupCount: count, isEnforced: false).isFine)
            // Before the first connection, the chain is unknown.
            #expect(AuthDiagnosis(of: pins, backupCount: nil, isEnforced: true).isFine == (pins.count > 1))
        }
    }

    // Linux accepts every pin, as a system would that does not call the delegate.
    @Test("the diagnosis notices that a connection with a wrong pin is accepted, with any response")
    func enforcement() async throws {
        for answer in [StandIn.Answer(body: "{}"), StandIn.Answer(status: 400, body: "{}")] {
            let server = try StandIn { _ in answer }
            let auth = try TestApp(server.url).auth
            #expect(await !auth.isWrongPinRejected(try auth.api().server))
            #expect(server.requests(of: "/v1/projects").count == 1)
        }
        let auth = try TestApp("http://127.0.0.1:1").auth
        #expect(await auth.isWrongPinRejected(try auth.api().server))
    }

    @Test("a damaged certificate never causes a crash, and the pin stays the certificate's own")
    func damage() throws {
        let certificate = try chain("ec -pkeyopt ec_paramgen_curve:P-256").server
        let pin = try #require(PublicKeyPin(ofCertificate: certificate))
        for count in 0..<certificate.count {
            #expect(PublicKeyPin(ofCertificate: Array(certificate.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(PublicKeyPin(ofCertificate: certificate + [0]) == nil)
        var random = SplitMix(seed: 21)
        for _ in 0..<20_000 {
            var damaged = certificate
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = PublicKeyPin(ofCertificate: damaged)
        }
        #expect(PublicKeyPin(ofCertificate: certificate) == pin)
    }

    @Test(
        "bytes that are not DER are not a certificate",
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x81], [0x30, 0x81, 0x7f], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
            [0x30, 0x88] + [UInt8](repeating: 0xff, count: 8), [0x30, 0x82, 0x00, 0x80],
            [UInt8](repeating: 0x30, count: 5_000), [UInt8](repeating: 0, count: 5_000),
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) { #expect(PublicKeyPin(ofCertificate: bytes) == nil) }

    @Test("a pin is Base64 or hexadecimal, in the formats of curl, OkHttp and openssl")
    func forms() {
        let digest = (0..<32).map { UInt8($0 * 7) }
        let base64 = Data(digest).base64EncodedString()
        let hexadecimal = digest.map { String(format: "%02x", $0) }.joined()
        let pins = [base64, "sha256/\(base64)", "sha256//\(base64)", hexadecimal, hexadecimal.uppercased()]
        #expect(Set(pins.map(PublicKeyPin.init)).count == 1)
        #expect(PublicKeyPin(base64) != nil)
        for text in [
            "", "sha256/", "sha1/\(base64)", base64 + "=", " \(base64)", base64 + "\n", String(base64.dropLast()),
            String(hexadecimal.dropLast()) + "g", Data(digest.dropLast()).base64EncodedString(), hexadecimal + "00",
        ] {
            #expect(PublicKeyPin(text) == nil, "\(text)")
        }
    }

    private func options(_ pins: [String], url: String = "https://auth.example.com") -> DialtoneOptions {
        var options = DialtoneOptions(url: URL(string: url), apiKey: "k")
        options.pinnedPublicKeys = pins
        return options
    }

    @Test("pins are disabled by default, and an invalid pin is named and never disables pinning")
    func configuration() async throws {
        let pin = Data(repeating: 7, count: 32).base64EncodedString()
        #expect(options([]).fault == nil)
        #expect(options([pin, "junk"]).fault?.contains("\"junk\": not a pin") == true)
        #expect(options([pin], url: "http://127.0.0.1").fault?.contains("https") == true)
        // Linux cannot check pins, so it refuses to connect.
        #expect(options([pin]).fault?.contains("Apple's platforms") == true)
        let auth = Auth(DialtoneApp(name: "pins", options: options([pin]), store: MemoryStore()))
        await #expect { try await auth.signInAnonymously() } throws: { $0.localizedDescription.contains("pinned") }
    }

    @Test(
        "GoogleService-Info.plist contains a pin or a list of pins, and anything else is an error",
        arguments: [
            ("<array><string>a</string><string>b</string></array>", ["a", "b"]), ("<string>a</string>", ["a"]),
            ("<integer>5</integer>", ["(not a list of strings)"]), ("<array/>", []),
            ("<array><string>a</string><integer>5</integer></array>", ["(not a list of strings)"]),
        ]
    )
    func propertyList(value: String, pins: [String]) throws {
        let path = folder.path(of: "pins.plist")
        try Data(
            """
            <plist version="1.0"><dict><key>API_KEY</key><string>k</string>\
            <key>DIALTONE_PINNED_PUBLIC_KEYS</key>\(value)</dict></plist>
            """.utf8
        ).write(to: URL(fileURLWithPath: path))
        #expect(try #require(DialtoneOptions(contentsOfFile: path)).pinnedPublicKeys == pins)
    }
}
