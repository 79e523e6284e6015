public import Encodings
internal import PhoneNumbers

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

extension VerificationCode {
    /// Why an attacker would guess a fixed code first. The raw value is for operators.
    public enum Weakness: String, Sendable, CaseIterable {
        case fewDigits = "it has at most two different digits"
        case sequence = "each half counts in equal steps"
        case repetition = "its digits are repeated or mirrored"
        case ofNumber = "it is part of the phone number"
    }

    /// Returns why a test number must not have this code in production; nil if the code is as good as any other.
    ///
    /// Refuses 14,640 of the million codes, and at most ten more for each number.
    func weakness(for phone: E164) -> Weakness? {
        let digits = digits.utf8.map { Int($0 - UInt8(ascii: "0")) }
        let (left, right) = (digits.prefix(3), digits.suffix(3))
        func hasEqualSteps(_ half: ArraySlice<Int>) -> Bool {
            Set(zip(half, half.dropFirst()).map { (10 + $1 - $0) % 10 }).count == 1
        }
        if Set(digits).count <= 2 { return .fewDigits }
        if hasEqualSteps(left), hasEqualSteps(right) { return .sequence }
        let hasPairs = stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
        if hasPairs || left.elementsEqual(right) || left.elementsEqual(right.reversed()) { return .repetition }
        return phone.text.contains(self.digits) ? .ofNumber : nil
    }
}
