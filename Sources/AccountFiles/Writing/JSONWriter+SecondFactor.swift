internal import Encodings
internal import PhoneAuth

extension JSONWriter {
    /// Writes second factors in Dialtone's format.
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
        member(.enrolledAt, factor.enrolledAt.rfc3339)
        switch factor.kind {
        case .phone(let number): member(.phoneInfo, number)
        case .totp:
            // The app is written even without its secret. An import then keeps the app if the account has it, and
            // otherwise rejects the account, which would be less secure without the factor.
            object(SecondFactorField.totpInfo.rawValue) { json in
                if let secret = exported.secret { json.member(TOTPField.sharedSecretKey.rawValue, secret) }
            }
        }
    }

    private mutating func member(_ field: SecondFactorField, _ text: String) { member(field.rawValue, text) }
}
