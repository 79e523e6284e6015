internal import Cryptography
internal import Encodings

/// The header field `Dialtone-Signature: t=<seconds>,v1=<digits>`, on what Dialtone posts to an operator's gateway and on what that posts back.
///
/// `t` is when it was signed, in seconds since the Unix epoch. `v1` is HMAC-SHA256 (RFC 2104) under the shared key, in hexadecimal digits, of
/// the digits of `t`, a `.` and the body's bytes. Whoever checks it computes it from the bytes as they came, compares in constant time, and
/// takes no time that is more than ``tolerance`` away: an old request cannot be sent again. Within that time the same request is known
/// by its `Idempotency-Key`. There may be several `v1`, of which one must be right: so keys are changed.
public enum WebhookSignature {
    /// The header field's name.
    public static let headerName = "Dialtone-Signature"
    /// How far the time of a signature may be from now.
    public static let tolerance: Duration = .seconds(300)

    /// The header field's value for a body.
    public static func value(for body: [UInt8], at time: UnixTime, key: WebhookKey) -> String {
        let code = HMAC.authenticationCode(.sha256, for: signedBytes(time, body), key: key.bytes)
        return "t=\(time.seconds),v1=\(Hexadecimal.encode(code))"
    }

    /// Checks the header field's value against a body.
    ///
    /// - Parameters:
    ///   - value: the field's value; nil where there is none.
    ///   - body: the body's bytes as they came.
    ///   - now: the time.
    ///   - keys: the keys that may have signed: more than one only while a key is being changed.
    /// - Throws: ``ReceiptRefusal``; ``ReceiptRefusal/tooOld`` only where the signature itself is right.
    public static func verify(
        _ value: String?,
        for body: [UInt8],
        at now: UnixTime,
        keys: [WebhookKey]
    ) throws(ReceiptRefusal) {
        guard let value else { throw .forged }
        var time: UnixTime?
        var signatures: [[UInt8]] = []
        for part in value.split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            if trimmed.hasPrefix("t=") {
                let digits = trimmed.dropFirst(2)
                guard time == nil, digits.isASCIIDigits, let seconds = Int64(digits) else { throw .malformed }
                time = UnixTime(seconds: seconds)
            } else if trimmed.hasPrefix("v1=") {
                guard let signature = Hexadecimal.decode(trimmed.dropFirst(3)) else { throw .malformed }
                signatures.append(signature)
            }
        }
        guard let time, (1...4).contains(signatures.count) else { throw .malformed }
        let bytes = signedBytes(time, body)
        let isGenuine = keys.contains { key in
            let code = HMAC.authenticationCode(.sha256, for: bytes, key: key.bytes)
            return signatures.contains { equalInConstantTime($0, code) }
        }
        guard isGenuine else { throw .forged }
        guard time.isWithin(tolerance, of: now) else { throw .tooOld }
    }

    private static func signedBytes(_ time: UnixTime, _ body: [UInt8]) -> [UInt8] {
        Array("\(time.seconds).".utf8) + body
    }
}
