internal import PhoneNumbers

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
