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

    /// Returns whether a typed text is this code. Compares in constant time for all wrong codes of the correct length.
    func matches(_ typed: String) -> Bool {
        guard let answer = typed.readAsCode() else { return false }
        return equalInConstantTime(Array(digits.utf8), Array(answer.utf8))
    }

    /// Dots: verification codes do not belong in logs.
    public var description: String { "••••••" }
}
