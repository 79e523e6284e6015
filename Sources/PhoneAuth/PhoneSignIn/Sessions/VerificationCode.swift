public import Encodings
internal import RedisScripts

/// A six-digit code (one-time password, OTP) that proves possession of a phone number. Its description is masked.
public struct VerificationCode: Sendable, Confidential {
    /// The number of digits in a code.
    public static let digitCount = 6

    /// The digits, for the message that delivers the code.
    public let digits: String

    /// Parses a code that an operator fixed; nil unless it is six ASCII digits.
    public init?(_ digits: String) {
        guard digits.utf8.count == Self.digitCount, digits.isASCIIDigits else { return nil }
        self.digits = digits
    }

    /// Derives the code of a session.
    ///
    /// The code is HMAC-SHA-256 over purpose, session id and number, reduced to six decimal digits. 64 bits are reduced
    /// modulo 10⁶, so the bias is below 2⁻⁴⁴. The code is never stored: a process with the server key derives it again.
    init(of session: SessionID, for phoneNumber: String, purpose: Purpose, under codes: KeyedHash) {
        let authenticator = codes("code", .text(purpose.rawValue), .bytes(session.bytes), .text(phoneNumber))
        let number = authenticator.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        digits = String(number % 1_000_000, digits: Self.digitCount)
    }

    /// Derives the code of a session from its ticket, under the server key of the generation that sealed the ticket.
    init(of ticket: SessionTicket, under keys: ServerKeys) {
        self.init(
            of: ticket.id,
            for: ticket.phoneNumber,
            purpose: ticket.scope.purpose,
            under: ticket.dataKeyID.map { keys.codes(sealedBy: $0) } ?? keys.codes
        )
    }

    /// Returns whether a typed text is this code. Compares in constant time for all wrong codes of the correct length.
    func matches(_ typed: String) -> Bool {
        guard let answer = typed.readAsCode() else { return false }
        return equalInConstantTime(Array(digits.utf8), Array(answer.utf8))
    }

    /// Dots: verification codes do not belong in logs.
    public var description: String { "••••••" }
}
