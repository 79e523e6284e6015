internal import Cryptography
public import Encodings

/// The header field `Dialtone-Signature: t=<seconds>,v1=<digits>` on Dialtone's requests to an operator's gateway and
/// on the gateway's receipts.
///
/// `t` is the timestamp of the signature, in seconds since the Unix epoch. `v1` is an HMAC-SHA256 (RFC 2104) under the
/// shared key, in hexadecimal digits. The HMAC covers the digits of `t`, a `.` and the body's bytes.
///
/// The receiver computes the HMAC from the bytes as received, and compares in constant time. To limit replay attacks,
/// it rejects timestamps that differ from the current time by more than ``tolerance``; within the tolerance,
/// `Idempotency-Key` detects replayed requests. While a key is replaced, there is a `v1` under each of the two keys, so
/// that the receiver needs only one of them.
public enum WebhookSignature {
    /// The header field's name.
    public static let headerName = "Dialtone-Signature"
    /// The maximum difference between a signature's timestamp and the current time.
    public static let tolerance: Duration = .seconds(300)

    /// Returns the header field's value for a body, with a signature under each key.
    public static func value(for body: [UInt8], at time: Instant, keys: [WebhookKey]) -> String {
        let bytes = signedBytes(time, body)
        return keys.reduce("t=\(time.seconds)") { value, key in
            "\(value),v1=\(Hexadecimal.encode(HMAC.authenticationCode(.sha256, for: bytes, key: key.bytes)))"
        }
    }

    /// Verifies the header field's value for a body.
    ///
    /// - Parameters:
    ///   - value: the field's value; nil if the field is absent.
    ///   - body: the body's bytes as received.
    ///   - now: the time with which the timestamp is compared.
    ///   - keys: the accepted keys: more than one only during key rotation.
    /// - Throws: ``ReceiptRefusal``; ``ReceiptRefusal/tooOld`` only if the signature itself is valid.
    public static func verify(
        _ value: String?,
        for body: [UInt8],
        at now: Instant,
        keys: [WebhookKey]
    ) throws(ReceiptRefusal) {
        guard let value else { throw .forged }
        var time: Instant?
        var signatures: [[UInt8]] = []
        for part in value.split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            if trimmed.hasPrefix("t=") {
                let digits = trimmed.dropFirst(2)
                guard time == nil, digits.isASCIIDigits, let seconds = Int64(digits) else { throw .malformed }
                time = Instant(seconds: seconds)
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

    private static func signedBytes(_ time: Instant, _ body: [UInt8]) -> [UInt8] {
        Array("\(time.seconds).".utf8) + body
    }
}

/// The HMAC key that Dialtone shares with the operator's own gateway: at least 32 characters, so that the key is not
/// weaker than the hash (RFC 2104 § 3).
public struct WebhookKey: Sendable, Confidential {
    let bytes: [UInt8]

    /// Creates a key; `openssl rand -hex 32` generates one.
    ///
    /// - Throws: ``GatewayConfigurationError/weakKey``
    public init(_ secret: GatewaySecret) throws(GatewayConfigurationError) {
        guard secret.text.utf8.count >= 32 else { throw .weakKey }
        bytes = secret.bytes
    }
}
