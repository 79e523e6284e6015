internal import Encodings
internal import PhoneAuth

extension JSONWriter {
    /// Second factors in our own format.
    mutating func secondFactors(_ factors: [ExportedSecondFactor]) {
        guard !factors.isEmpty else { return }
        array(AccountField.mfaInfo.rawValue) { json in
            for factor in factors { json.object { $0.secondFactor(factor) } }
        }
    }

    private mutating func secondFactor(_ exported: ExportedSecondFactor) {
        let factor = exported.factor
        member(.mfaEnrollmentId, factor.id)
        if let name = factor.displayName { member(.displayName, name) }
        if case .phone(let number) = factor.kind { member(.phoneInfo, number) }
        member(.enrolledAt, factor.enrolledAt.rfc3339)
        guard let secret = exported.secret else { return }
        object(SecondFactorField.totpInfo.rawValue) { $0.member(TOTPField.sharedSecretKey.rawValue, secret) }
    }

    private mutating func member(_ field: SecondFactorField, _ text: String) { member(field.rawValue, text) }
}
