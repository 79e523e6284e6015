internal import PhoneNumbers

/// A number for which a project lets sessions be opened.
///
/// Only ``Project/admit(_:testNumbers:)`` makes one, and ``Authenticator/openSession(for:provenBy:_:_:in:)`` takes nothing else:
/// no path can send a message, or open a session, that the project's policy was not asked about.
struct AdmittedNumber: Sendable {
    let phone: E164
    /// Whether its codes are sent, or fixed because it is a test number.
    let codeSource: CodeSource

    fileprivate init(phone: E164, codeSource: CodeSource) {
        self.phone = phone
        self.codeSource = codeSource
    }
}

extension Project {
    /// Asks the project's policy. Nothing is sent to a test number, so its region does not matter.
    func admit(_ phone: E164, testNumbers: [String: VerificationCode]) throws(SMSRegionRefusal) -> AdmittedNumber {
        if testNumbers[phone.text] != nil { return AdmittedNumber(phone: phone, codeSource: .testNumber) }
        // SMS pumping uses ranges that no one lives in.
        guard phone.isValid || sendsToUnassignedNumbers else { throw .unassigned }
        try smsRegions.check(phone)
        if phone.region == .nonGeographic, case .allowByDefault = smsRegions, !sendsToUnassignedNumbers {
            throw .nonGeographic
        }
        return AdmittedNumber(phone: phone, codeSource: .derived)
    }
}
