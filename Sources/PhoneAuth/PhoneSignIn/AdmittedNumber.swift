internal import PhoneNumbers

/// A number that the project's policy allows to open sessions.
///
/// Only ``Project/admit(_:testNumbers:)`` creates one, and
/// ``OperationContext/openVerification(for:provenBy:_:_:isOfAccount:)`` accepts nothing else: no code path can send a
/// message or open a session without a check of the project's policy.
struct AdmittedNumber: Sendable {
    let phone: E164
    /// Whether the number's codes are sent, or fixed because it is a test number.
    let codeSource: CodeSource

    fileprivate init(phone: E164, codeSource: CodeSource) {
        self.phone = phone
        self.codeSource = codeSource
    }
}

extension Project {
    /// Checks a number against the project's policy. Nothing is sent to a test number, so its region does not matter.
    func admit(_ phone: E164, testNumbers: [String: VerificationCode]) throws(SMSRegionRefusal) -> AdmittedNumber {
        if testNumbers[phone.text] != nil { return AdmittedNumber(phone: phone, codeSource: .testNumber) }
        guard accepts(phone) else { throw .unassigned }
        try smsRegions.check(phone)
        guard sends(to: phone.effectiveRegion) else { throw .nonGeographic }
        return AdmittedNumber(phone: phone, codeSource: .derived)
    }
}
