internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Operators' operations on one account.
extension IdentityToolkitHandler {
    static func createAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.fields.nonEmptyText("localId")
        let change = try AccountChange(call.fields, .creation)
        let account = try AccountRefusal.onWire(call.operation.createAccount(uid: uid, change))
        call.record.reason = "created"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SignupNewUserResponse")
                json.member("localId", account.uid)
                if let displayName = account.displayName { json.member("displayName", displayName) }
            }
        )
    }

    static func changeAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        let change = try AccountChange(call.fields, .change)
        let account = try AccountRefusal.onWire(call.operation.changeAccount(uid: uid, change))
        call.record.reason = "updated"
        return .json(JSONWriter.object { $0.changedAccount(account) })
    }

    static func removeAccount(_ call: AdminCall) throws(WireError) -> Response {
        let uid = try call.requiredUID()
        try AccountRefusal.onWire(call.operation.deleteAccount(uid: uid))
        call.record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }
}

/// The fields by which operators create and change accounts.
extension AccountChange {
    /// Reads a request to create or change an account.
    init(_ fields: Fields, _ request: AccountRequest) throws(WireError) {
        self.init()
        // Other identity providers are not supported. An empty list changes nothing.
        guard fields.isEmptyOrAbsent("linkProviderUserInfo") else { throw .code(.operationNotAllowed) }
        let removed = try fields.removedAttributes()
        displayName = try Change(fields.text("displayName"), isRemoved: removed.contains("DISPLAY_NAME"))
        photoURL = try Change(fields.text("photoUrl"), isRemoved: removed.contains("PHOTO_URL"))
        let providers = try fields.texts("deleteProvider") ?? []
        phoneNumber = try Change(fields.text("phoneNumber"), isRemoved: providers.contains("phone"))
        // The e-mail address exists only for the password.
        let removesPassword = providers.contains("password")
        email = try Change(fields.text("email"), isRemoved: removesPassword || removed.contains("EMAIL"))
        isEmailVerified = try fields.flag("emailVerified")
        if removesPassword || removed.contains("PASSWORD") {
            password = .removed
        } else if let text = try fields.nonEmptyText("password") {
            password = .set(text)
        }
        isDisabled = try fields.flag(request.disabledName)
        if let text = try fields.nonEmptyText("customAttributes") {
            customClaims = try CustomClaimsError.onWire(CustomClaims(text))
        }
        validSince = try Self.time("validSince", fields, unitsPerSecond: 1)
        passwordUpdatedAt = try Self.time("passwordUpdatedAt", fields).map { Instant(milliseconds: $0) }
        createdAt = try Self.time("createdAt", fields).map { Instant(milliseconds: $0) }
        lastLoginAt = try Self.time("lastLoginAt", fields).map { Instant(milliseconds: $0) }
        secondFactors = try request.secondFactors(fields)
    }

    /// Returns a time that can be written as a date: before the year 10000.
    private static func time(
        _ name: String,
        _ fields: Fields,
        unitsPerSecond: Int64 = 1000
    ) throws(WireError) -> Int64? {
        guard let time = try fields.integer(name) else { return nil }
        guard (0..<253_402_300_800 * unitsPerSecond).contains(time) else {
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_INT64).")
        }
        return time
    }
}

extension AccountRefusal: WireRefusal {
    /// The protocol's error.
    var wire: WireError {
        switch self {
        case .uidInvalid: .code(.invalidLocalID, "A uid has \(AccountID.rule).")
        case .uidTaken: .code(.duplicateLocalID)
        case .accountUnknown: .code(.userNotFound)
        case .numberInvalid: .code(.invalidPhoneNumber, "Invalid format.")
        case .numberExists: .code(.phoneNumberExists)
        case .numberIsTestNumber: .code(.invalidPhoneNumber, "It is a test number of the project.")
        case .credential(let refusal): refusal.wire
        case .displayNameTooLong: .displayNameTooLong
        case .photoURLTooLong: .photoURLTooLong
        case .validSinceInFuture: .invalidPayload("Invalid value at 'validSince': the time is in the future.")
        case .secondFactor(let fault): fault.wire
        case .failed(let failure): failure.wire
        }
    }
}

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
            list = try fields.objects("mfaInfo") ?? []
            guard !list.isEmpty else { return nil }
        case .change:
            guard let mfa else { return nil }
            // `{}` removes all factors. null is rejected, because it may be a mistake and would make the account less
            // secure.
            guard !mfa.isNull("enrollments") else { throw .invalidPayload("/mfa/enrollments must be array") }
            list = try mfa.objects("enrollments") ?? []
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
