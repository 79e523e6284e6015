internal import Encodings
internal import PhoneAuth

extension JSONWriter {
    /// Writes an account as its owner and operators see it. Times are strings, except the one that Google's schema
    /// declares as a number.
    mutating func account(_ account: Account, for viewer: AccountViewer) {
        object { json in
            json.member("localId", account.uid)
            if let phoneNumber = account.phoneNumber { json.member("phoneNumber", phoneNumber) }
            json.profile(of: account)
            if let passwordUpdatedAt = account.passwordUpdatedAt {
                json.member("passwordUpdatedAt", passwordUpdatedAt.milliseconds)
            }
            if account.signsInByLink { json.member("emailLinkSignin", true) }
            json.member("disabled", account.isDisabled)
            json.member("createdAt", String(account.createdAt.milliseconds))
            if let time = account.lastLoginAt { json.member("lastLoginAt", String(time.milliseconds)) }
            if let time = account.lastRefreshAt { json.member("lastRefreshAt", time.rfc3339) }
            json.member("validSince", String(account.validSince))
            if let claims = account.customClaims { json.member("customAttributes", claims.text) }
            json.secondFactors(of: account, for: viewer)
            json.providers(of: account)
        }
    }

    /// Writes the members of the response to a change of an account.
    mutating func changedAccount(_ account: Account) {
        member("kind", "identitytoolkit#SetAccountInfoResponse")
        member("localId", account.uid)
        profile(of: account)
        providers(of: account)
    }

    /// Writes the user's own attributes.
    mutating func profile(of account: Account) {
        if let email = account.email {
            member("email", email)
            member("emailVerified", account.isEmailVerified)
        }
        if let displayName = account.displayName { member("displayName", displayName) }
        if let photoURL = account.photoURL { member("photoUrl", photoURL) }
    }

    /// Writes the user's e-mail address and display name, if set.
    mutating func names(of account: Account) {
        if let email = account.email { member("email", email) }
        if let displayName = account.displayName { member("displayName", displayName) }
    }

    /// Writes the ways in which the user can sign in; none for an anonymous user.
    mutating func providers(of account: Account) {
        array("providerUserInfo") { json in
            if let phoneNumber = account.phoneNumber {
                json.object { json in
                    json.member("providerId", "phone")
                    json.member("rawId", phoneNumber)
                    json.member("phoneNumber", phoneNumber)
                }
            }
            if account.signsInByEmail, let email = account.email {
                json.object { json in
                    json.member("providerId", "password")
                    for name in ["email", "federatedId", "rawId"] { json.member(name, email) }
                    if let displayName = account.displayName { json.member("displayName", displayName) }
                    if let photoURL = account.photoURL { json.member("photoUrl", photoURL) }
                }
            }
        }
    }

    /// Writes the tokens of a session.
    mutating func tokens(idToken: String, refreshToken: String) {
        member("idToken", idToken)
        member("refreshToken", refreshToken)
        member("expiresIn", String(IDToken.lifetime.components.seconds))
    }
}

/// The reader of an account, which decides how much of a second factor's number is shown.
enum AccountViewer {
    /// A user who has proven at most the first factor: only the last digits of a second factor's number are shown.
    case firstFactor
    /// The account's user, signed in. Firebase shows users the numbers of their own second factors in full, and apps
    /// show them in their settings. The SDKs use `enrolledFactors[].phoneNumber` for nothing else.
    case user
    case `operator`
}

extension JSONWriter {
    /// Writes an account's second factors, if it has any.
    mutating func secondFactors(of account: Account, for viewer: AccountViewer) {
        guard !account.secondFactors.isEmpty else { return }
        array("mfaInfo") { json in
            for factor in account.secondFactors { json.object { $0.members(of: factor, for: viewer) } }
        }
    }

    /// Writes the members of the response to a first factor, if a second one is required.
    mutating func secondFactorRequired(_ challenge: SecondFactorChallenge) {
        member("localId", challenge.account.uid)
        names(of: challenge.account)
        member("mfaPendingCredential", challenge.pendingCredential)
        secondFactors(of: challenge.account, for: .firstFactor)
    }

    /// Writes one second factor.
    mutating func secondFactor(_ name: String, _ factor: SecondFactor, for viewer: AccountViewer) {
        object(name) { $0.members(of: factor, for: viewer) }
    }

    private mutating func members(of factor: SecondFactor, for viewer: AccountViewer) {
        member("mfaEnrollmentId", factor.id)
        if let displayName = factor.displayName { member("displayName", displayName) }
        member("enrolledAt", factor.enrolledAt.rfc3339)
        switch (factor.kind, viewer) {
        case (.phone(let number), .firstFactor): member("phoneInfo", SecondFactor.obfuscated(number))
        case (.phone(let number), .user): member("phoneInfo", number)
        case (.phone(let number), .operator):
            // Admin SDKs read `phoneInfo`.
            for name in ["phoneInfo", "unobfuscatedPhoneInfo"] { member(name, number) }
        case (.totp, _): object("totpInfo") { _ in }
        }
    }
}
