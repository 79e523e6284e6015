internal import Encodings
internal import PhoneAuth

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
        let providers = try fields.texts("deleteProvider")
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
