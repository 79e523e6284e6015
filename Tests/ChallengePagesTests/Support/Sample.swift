import ChallengePages
import Encodings
import PhoneAuth

/// Apps, events and keys for several tests.
enum Sample {
    static func app() throws -> RegisteredApp {
        try RegisteredApp(
            bundleID: "com.example.app",
            appID: "1:123:ios:abc",
            clientID: "123-abc.apps.googleusercontent.com"
        )
    }

    static func callback() throws -> Callback {
        guard let scheme = CallbackScheme(clientIDOf: try app()), let event = EventID("ABCDEFGHIJ"),
            let domain = AuthDomain("127.0.0.1:9099")
        else { throw Missing() }
        return Callback(opening: .scheme(scheme), eventID: event, authDomain: domain)
    }

    static func androidCallback() throws -> Callback {
        guard let event = EventID("0b6f1f0e-7d3c-4a51-9f0e-0123456789ab"), let domain = AuthDomain("auth.example.com")
        else { throw Missing() }
        return Callback(opening: .intent(packageName: "com.example.app"), eventID: event, authDomain: domain)
    }

    struct Missing: Error {}

    static let schemeName = "com.googleusercontent.apps.123-abc"
    /// ASCII, so that Python's `altcha` accepts the key as text.
    static let key = "0123456789abcdef0123456789abcdef"
    static let now: Int64 = 1_800_000_000

    static func proofOfWork() -> ProofOfWork { ProofOfWork(key: Array(key.utf8)) }
    static func subject() -> ChallengeSubject { .web(projectID: "demo-dialtone") }

    /// Returns a source of constant bytes. A number drawn from them is `value`.
    static func bytes(_ value: UInt8) -> (Int) -> [UInt8] {
        { count in [UInt8](repeating: 0, count: count - 1) + [value] }
    }

    /// Returns unpredictable bytes.
    static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// Returns random bytes, except for the number of a challenge: it is 60,000, so that solving takes work, always the
    /// same amount.
    static func laborious(_ count: Int) -> [UInt8] {
        count == 8 ? [0, 0, 0, 0, 0, 0, 0xEA, 0x60] : random(count)
    }

    static func nonce() -> Nonce { Nonce([UInt8](repeating: 7, count: 16)) }

    /// Returns what a solver posts.
    static func solution(
        to challenge: ProofOfWorkChallenge,
        number: Int64,
        salt: String? = nil,
        signature: String? = nil
    ) -> String {
        base64(
            JSONWriter.object { json in
                json.member("algorithm", "SHA-256")
                json.member("challenge", challenge.challenge)
                json.member("number", number)
                json.member("salt", salt ?? challenge.salt)
                json.member("signature", signature ?? challenge.signature)
                json.member("took", 12)
            }
        )
    }

    /// Returns Base64 with the standard alphabet and padding.
    static func base64(_ bytes: [UInt8]) -> String {
        var text = Base64URL.string(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        while !text.count.isMultiple(of: 4) { text.append("=") }
        return String(text)
    }
}
