internal import Encodings
internal import PhoneAuth

extension GivenSecondFactor {
    /// A second factor as a file has it.
    init(_ value: JSONValue) throws(RecordFault) {
        guard case .object(let object) = value else { throw .fieldInvalid(AccountField.mfaInfo.rawValue) }
        let fields = try RecordFields<SecondFactorField>(object)
        let unobfuscated = try fields.text(.unobfuscatedPhoneInfo)
        let number = try fields.text(.phoneInfo) ?? unobfuscated
        let content: Content
        if let app = try fields.object(.totpInfo) {
            guard number == nil else { throw .fieldInvalid(AccountField.mfaInfo.rawValue) }
            let secret = try RecordFields<TOTPField>(app).text(.sharedSecretKey)
            content = secret.map { .totp(secret: $0) } ?? .presentTOTP
        } else {
            content = .phone(number: number ?? "")
        }
        var enrolledAt: Instant?
        if let text = try fields.text(.enrolledAt) {
            enrolledAt = Instant(rfc3339: text)
            guard enrolledAt != nil else { throw .fieldInvalid(SecondFactorField.enrolledAt.rawValue) }
        }
        self.init(
            .named(try fields.text(.mfaEnrollmentId) ?? ""),
            content,
            displayName: try fields.text(.displayName),
            enrolledAt: enrolledAt
        )
    }
}
