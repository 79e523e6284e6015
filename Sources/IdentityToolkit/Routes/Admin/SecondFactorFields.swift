internal import Encodings
internal import PhoneAuth

/// The requests by which operators create and change accounts. Their field names differ.
enum AccountRequest {
    /// `accounts`.
    case creation
    /// `accounts:update`.
    case change

    /// The name of the field that disables the account.
    var disabledName: String { self == .change ? "disableUser" : "disabled" }

    /// Returns the second factors to set; nil if the request does not name any.
    func secondFactors(_ fields: Fields) throws(WireError) -> [AssignedSecondFactor]? {
        let mfa = try fields.fields("mfa")
        // Second factors in the wrong field must not be ignored: the account would be less secure than requested.
        guard self == .change ? fields.isEmptyOrAbsent("mfaInfo") : mfa?.isEmptyOrAbsent("enrollments") ?? true else {
            throw .code(.operationNotAllowed)
        }
        let list: [Fields]
        switch self {
        case .creation:
            list = try fields.list("mfaInfo")
            guard !list.isEmpty else { return nil }
        case .change:
            guard let mfa else { return nil }
            // `{}` removes all factors. null is rejected, because it may be a mistake and would make the account less
            // secure.
            guard !mfa.isNull("enrollments") else { throw .invalidPayload("/mfa/enrollments must be array") }
            list = try mfa.list("enrollments")
        }
        var given: [AssignedSecondFactor] = []
        for entry in list { given.append(try AssignedSecondFactor(entry, self)) }
        return given
    }
}

extension AssignedSecondFactor {
    /// Reads a second factor. It gets a new id if the account is created.
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
            request == .creation ? .made : .named(id),
            content,
            displayName: try fields.nonEmptyText("displayName"),
            enrolledAt: try fields.instant("enrolledAt")
        )
    }
}

extension Fields {
    /// Returns a time; nil if the field is absent.
    fileprivate func instant(_ name: String) throws(WireError) -> Instant? {
        guard let text = try nonEmptyText(name) else { return nil }
        guard let time = Instant(rfc3339: text) else {
            throw .invalidPayload("Invalid value at '\(name)' (type.googleapis.com/google.protobuf.Timestamp).")
        }
        return time
    }
}

extension AssignedSecondFactorFault: WireRefusal {
    /// The protocol's error, if it has one.
    var wire: WireError {
        switch self {
        case .numberInvalid: .code(.invalidMFAPhoneNumber, "Invalid format.")
        case .numberIsTestNumber: .code(.invalidMFAPhoneNumber, "It is a test number of the project.")
        case .idMissing: .code(.invalidMFAEnrollmentID, "mfaEnrollmentId must be defined.")
        case .idInvalid: .code(.invalidMFAEnrollmentID, "mfaEnrollmentId has \(AccountID.rule).")
        case .idRepeated: .code(.duplicateMFAEnrollmentID)
        case .secretMissing: .code(.invalidArgument, "totpInfo needs sharedSecretKey.")
        case .secretInvalid: .code(.invalidArgument, "sharedSecretKey must be base 32 of 10 to 64 bytes.")
        case .tooMany: .code(.secondFactorLimitExceeded)
        }
    }
}
