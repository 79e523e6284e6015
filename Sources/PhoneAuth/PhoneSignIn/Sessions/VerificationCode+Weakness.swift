extension VerificationCode {
    /// Why an attacker would guess a fixed code first. The raw value is for operators.
    public enum Weakness: String, Sendable, CaseIterable {
        case sameDigit = "all digits are the same"
        case sequence = "the digits are sequential"
        case repetition = "a shorter group of digits is repeated"
    }

    /// The reason why a test number must not have this code in production; nil if the code is as good as any other.
    public var weakness: Weakness? {
        let digits = digits.utf8.map { Int($0 - UInt8(ascii: "0")) }
        let steps = zip(digits, digits.dropFirst()).map { (10 + $1 - $0) % 10 }
        func repeats(_ length: Int) -> Bool { zip(digits, digits.dropFirst(length)).allSatisfy { $0 == $1 } }
        if repeats(1) { return .sameDigit }
        if steps.allSatisfy({ $0 == 1 }) || steps.allSatisfy({ $0 == 9 }) { return .sequence }
        return repeats(2) || repeats(3) ? .repetition : nil
    }
}
