public import Encodings
internal import RedisStore

/// Six digits that prove the possession of a phone number. Printing it shows dots.
public struct VerificationCode: Sendable, Confidential {
    /// How many digits a code has.
    public static let digitCount = 6

    /// The digits, for the message that carries them.
    public let digits: String

    /// Takes a code that an operator fixed; nil unless it is six ASCII digits.
    public init?(_ digits: String) {
        guard digits.utf8.count == Self.digitCount, digits.isASCIIDigits else { return nil }
        self.digits = digits
    }

    /// Derives the code of a session.
    ///
    /// HMAC-SHA-256 over purpose, session id and number, cut to six decimal digits. 64 bits are reduced modulo 10⁶, so
    /// the bias is below 2⁻⁴⁴. It is never stored: whoever holds the server key derives it again.
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

    /// Whether `answer` is this code; takes the same time for every wrong answer of the right length.
    func matches(_ answer: String) -> Bool {
        equalInConstantTime(Array(digits.utf8), Array(answer.utf8))
    }

    /// Dots: codes do not belong in logs.
    public var description: String { "••••••" }
}
