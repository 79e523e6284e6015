internal import Cryptography
internal import Encodings

/// The secret that a user's authenticator app shares with the server, and its codes (RFC 6238): HMAC-SHA-1, six digits,
/// steps of 30 seconds, the parameters that the protocol sends to the apps.
struct TOTPSecret: Sendable, Confidential {
    /// 160 bits, as RFC 4226 § 4 recommends.
    static let newByteCount = 20
    /// The shortest secret that can be imported, 80 bits: RFC 4226 § 4 requires 128 bits, but common apps used 80.
    static let minimumByteCount = 10
    static let maximumByteCount = 64

    /// Seconds.
    static let period: Int64 = 30
    static let digitCount = 6

    let bytes: [UInt8]

    static func make(_ environment: Environment) -> TOTPSecret {
        TOTPSecret(unchecked: environment.randomBytes(newByteCount))
    }

    /// Returns nil if there are too few bytes, or too many.
    init?(_ bytes: [UInt8]) {
        guard (Self.minimumByteCount...Self.maximumByteCount).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What users type into the app if they cannot scan a QR code.
    var base32: String { Base32.encode(bytes) }

    static func step(at time: Instant) -> Int64 { time.seconds / period }

    /// Returns the step that has this typed code, at most `adjacentIntervals` from `time`; the latest if several have
    /// it. Takes constant time for all codes of six digits.
    func step(of typed: String, around time: Instant, adjacentIntervals: Int) -> Int64? {
        guard let code = typed.readAsCode(), code.utf8.count == Self.digitCount, code.isASCIIDigits else { return nil }
        let given = Array(code.utf8)
        let now = Self.step(at: time)
        var found: Int64?
        for step in max(0, now - Int64(adjacentIntervals))...now + Int64(adjacentIntervals)
        where equalInConstantTime(Array(self.code(at: step).utf8), given) {
            found = step
        }
        return found
    }

    /// Returns the code of a step (RFC 4226 § 5.3): 31 bits at the offset in the last 4 bits, modulo 10⁶.
    func code(at step: Int64) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let hash = HMAC.authenticationCode(.sha1, for: message, key: bytes)
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return String(number % 1_000_000, digits: Self.digitCount)
    }
}
