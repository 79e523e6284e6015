internal import Encodings

/// The content of a request to a hook: the claims of a JWT, which verifies with the published keys of ID tokens.
///
/// The fields are those of Identity Platform's blocking functions, which the protocol's SDK for them reads. The
/// audience is the hook's URL, so the JWT is invalid as an ID token, and an ID token as an event (RFC 8725 § 3.9). The
/// issuer is always Firebase's, as that SDK expects, so hooks accept events whatever the issuer of ID tokens is.
/// `second_factor` and `revert_code` of enrollments are this server's additions.
struct HookToken: Sendable, Confidential {
    let event: BlockingHookEvent
    let hook: ServiceURL
    let user: HookedUser
    let provider: SignInProvider
    /// The second factor of the session; nil if none was required.
    let secondFactor: ProvenSecondFactor?
    /// nil unless the event is an enrollment.
    let enrollment: HookedEnrollment?
    let client: ClientDescription
    /// The unique id of this call.
    let id: String

    /// Returns the compact JWS, valid for ``SigningKeys/verifierClockSkew``.
    func signed(with key: SigningKey, at now: Instant, in project: Project, _ policy: Policy)
        throws(CryptographyFailure)
        -> String
    {
        try key.sign(
            JSONWriter.object { json in
                json.member("iss", TokenKind.idToken.firebaseIssuer(in: project.id))
                json.member("aud", hook.text)
                json.member("sub", user.uid)
                json.member("iat", now.seconds)
                json.member("exp", (now + SigningKeys.verifierClockSkew).seconds)
                json.member("event_id", id)
                json.member("event_type", event.rawValue)
                json.member("ip_address", client.networkAddress)
                if !client.userAgent.isEmpty { json.member("user_agent", client.userAgent) }
                if !client.locale.isEmpty { json.member("locale", client.locale) }
                json.member("sign_in_method", provider.rawValue)
                if let secondFactor { json.member("sign_in_second_factor", secondFactor.method.rawValue) }
                json.object("user_record") { $0.members(of: user) }
                if let enrollment {
                    json.object("second_factor") { $0.members(of: enrollment.factor) }
                    json.member("revert_code", enrollment.revertCode)
                }
            }
        )
    }
}

extension JSONWriter {
    /// Times are in seconds since the Unix epoch, except those of second factors (RFC 3339).
    fileprivate mutating func members(of user: HookedUser) {
        member("uid", user.uid)
        profile(of: user)
        member("email_verified", user.isEmailVerified)
        member("disabled", user.isDisabled)
        object("metadata") { json in
            json.member("creation_time", user.createdAt.seconds)
            if let time = user.lastLoginAt { json.member("last_sign_in_time", time.seconds) }
        }
        array("provider_data") { json in
            if let phoneNumber = user.phoneNumber {
                json.object { json in
                    json.member("provider_id", SignInProvider.phone.rawValue)
                    json.member("uid", phoneNumber)
                    json.member("phone_number", phoneNumber)
                }
            }
            if user.hasPassword, let email = user.email {
                json.object { json in
                    json.member("provider_id", SignInProvider.password.rawValue)
                    json.member("uid", email)
                    json.member("email", email)
                    json.names(of: user)
                }
            }
        }
        if !user.secondFactors.isEmpty {
            object("multi_factor") { json in
                json.array("enrolled_factors") { json in
                    for factor in user.secondFactors { json.object { $0.members(of: factor) } }
                }
            }
        }
        if let claims = user.customClaims { member("custom_claims", .object(claims.object)) }
        member("tokens_valid_after_time", user.validSince)
    }

    fileprivate mutating func members(of factor: SecondFactor) {
        member("uid", factor.id)
        if let displayName = factor.displayName { member("display_name", displayName) }
        member("enrollment_time", factor.enrolledAt.rfc3339)
        switch factor.kind {
        case .phone(let number):
            member("factor_id", "phone")
            member("phone_number", number)
        case .totp: member("factor_id", "totp")
        }
    }

    private mutating func profile(of user: HookedUser) {
        if let phoneNumber = user.phoneNumber { member("phone_number", phoneNumber) }
        if let email = user.email { member("email", email) }
        names(of: user)
    }

    private mutating func names(of user: HookedUser) {
        if let displayName = user.displayName { member("display_name", displayName) }
        if let photoURL = user.photoURL { member("photo_url", photoURL) }
    }
}
