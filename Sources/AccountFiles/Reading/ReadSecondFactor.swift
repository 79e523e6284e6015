internal import Encodings
internal import PhoneAuth

extension AssignedSecondFactor {
    /// Reads a second factor, and adds the names of unknown fields to `skipped`. A missing id is empty.
    init(_ value: JSONValue, skipping skipped: inout Set<String>) throws(RecordFault) {
        guard case .object(let object) = value else { throw .fieldInvalid(AccountField.mfaInfo.rawValue) }
        let fields = try RecordFields<SecondFactorField>(object)
        skipped.formUnion(fields.unknownNames.map { "\(AccountField.mfaInfo.rawValue).\($0)" })
        let unobfuscated = try fields.text(.unobfuscatedPhoneInfo)
        let number = try fields.text(.phoneInfo) ?? unobfuscated
        let app = try fields.object(.totpInfo).map { object throws(RecordFault) in try RecordFields<TOTPField>(object) }
        guard let content = Content(phoneNumber: number, isApp: app != nil, secret: try app?.text(.sharedSecretKey))
        else {
            throw .fieldInvalid(AccountField.mfaInfo.rawValue)
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
