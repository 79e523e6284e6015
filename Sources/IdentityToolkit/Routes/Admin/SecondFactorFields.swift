internal import PhoneAuth

/// The requests by which operators make and change accounts. They do not call all alike.
enum AccountRequest {
    /// `accounts`.
    case creation
    /// `accounts:update`.
    case change
    /// One of `accounts:batchCreate`.
    case importing

    /// What it calls the flag.
    var disabledName: String { self == .change ? "disableUser" : "disabled" }

    /// The second factors that an account is to have; nil where the request says nothing of them.
    func secondFactors(_ fields: Fields) throws(WireError) -> [GivenSecondFactor]? {
        let mfa = try fields.fields("mfa")
        // Where they stand in the wrong place they must not get lost: the account would be less safe than was asked for.
        guard self == .change ? fields.isEmptyOrAbsent("mfaInfo") : mfa?.isEmptyOrAbsent("enrollments") ?? true else {
            throw .badRequest("OPERATION_NOT_ALLOWED")
        }
        let list: [Fields]
        switch self {
        case .creation, .importing:
            list = try fields.list("mfaInfo")
            guard !list.isEmpty else { return nil }
        case .change:
            guard let mfa else { return nil }
            // `{}` takes all factors away. null may be a caller's mistake, and the account would be less safe.
            guard !mfa.isNull("enrollments") else { throw .invalidPayload("/mfa/enrollments must be array") }
            list = try mfa.list("enrollments")
        }
        var given: [GivenSecondFactor] = []
        for entry in list { given.append(try GivenSecondFactor(entry, self)) }
        return given
    }
}

extension GivenSecondFactor {
    /// A second factor in the protocol's words. One of a new account gets a new id, and so does one that is imported
    /// without.
    fileprivate init(_ fields: Fields, _ request: AccountRequest) throws(WireError) {
        let id = try fields.text("mfaEnrollmentId") ?? ""
        let unobfuscated = try fields.nonEmptyText("unobfuscatedPhoneInfo")
        let number = try fields.nonEmptyText("phoneInfo") ?? unobfuscated
        let app = try fields.fields("totpInfo")
        let secret = try app?.nonEmptyText("sharedSecretKey")
        guard let content = Content(phoneNumber: number, isApp: app != nil, secret: secret) else {
            throw .invalidPayload("Invalid value (oneof): only one of 'phoneInfo' and 'totpInfo' may be set.")
        }
        self.init(
            request == .creation || request == .importing && id.isEmpty ? .made : .named(id),
            content,
            displayName: try fields.nonEmptyText("displayName"),
            enrolledAt: try fields.instant("enrolledAt")
        )
    }
}

extension Fields {
    /// A time; nil where it is absent.
    fileprivate func instant(_ name: String) throws(WireError) -> Instant? {
        guard let text = try nonEmptyText(name) else { return nil }
        guard let time = Instant(rfc3339: text) else {
            throw .invalidPayload("Invalid value at '\(name)' (type.googleapis.com/google.protobuf.Timestamp).")
        }
        return time
    }
}

extension GivenSecondFactorFault {
    /// The protocol's words, as far as it has some.
    var wire: WireError {
        switch self {
        case .numberInvalid: .badRequest("INVALID_MFA_PHONE_NUMBER : Invalid format.")
        case .idMissing: .badRequest("INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.")
        case .idTooLong:
            .badRequest(
                "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId has at most \(Policy.maximumUIDCharacters) characters."
            )
        case .idRepeated: .badRequest("DUPLICATE_MFA_ENROLLMENT_ID")
        case .secretMissing: .badRequest("INVALID_ARGUMENT : totpInfo needs sharedSecretKey.")
        case .secretInvalid: .badRequest("INVALID_ARGUMENT : sharedSecretKey must be base 32 of 10 to 64 bytes.")
        case .tooMany: .badRequest("SECOND_FACTOR_LIMIT_EXCEEDED")
        }
    }
}
