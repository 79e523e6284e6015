internal import Encodings
internal import FastCGI
internal import MessageTexts
internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

extension IdentityToolkitHandler {
    func sendVerificationCode(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        let request = try call.messageRequest()
        do throws(SendVerificationCodeRefusal) {
            let sent = try authenticator.sendVerificationCode(request, in: call.project)
            record.phone = sent.phone
            record.reason = sent.outcome.rawValue
            return .json(JSONWriter.object { $0.member("sessionInfo", sent.sessionInfo) })
        } catch {
            record.phone = error.phone
            throw error.wire(for: call.platform, reference: DecisionReference(requestID: call.requestID))
        }
    }
}

extension Call {
    /// Returns the request to send a verification code, with the app credential.
    func messageRequest() throws(WireError) -> SendVerificationCodeRequest {
        SendVerificationCodeRequest(
            phoneNumber: try fields.text("phoneNumber") ?? "",
            credential: try appCredential(),
            bundleID: bundleID,
            client: .network(address: client.networkAddress, apiKey: apiKey),
            locale: client.locale,
            ending: try messageEnding(),
            requestID: requestID
        )
    }

    /// Returns the app credential of a sign-up; its fields are those of a send.
    func appProofRequest() throws(WireError) -> AppProofRequest {
        AppProofRequest(
            credential: try appCredential(),
            bundleID: bundleID,
            networkAddress: client.networkAddress,
            requestID: requestID
        )
    }

    /// Throws if the request names a tenant; tenants are not supported.
    func refuseTenants() throws(WireError) {
        guard try fields.nonEmptyText("tenantId") == nil else {
            throw .badRequest("UNSUPPORTED_TENANT_OPERATION")
        }
    }

    /// Android apps send their SMS Retriever hash; for web apps the message names the site to which the code is bound
    /// (WebOTP). An unregistered hash is ignored and the message is sent without it: the user can still type the code.
    private func messageEnding() throws(WireError) -> MessageEnding? {
        if let hash = try fields.fields("autoRetrievalInfo")?.text("appSignatureHash").flatMap(AppSignatureHash.init),
            project.androidApps.allows(hash)
        {
            return .smsRetriever(appHash: hash)
        }
        guard let origin, origin.hasPrefix("https://") else { return nil }
        let domain = String(origin.dropFirst("https://".count))
        guard project.authorizedDomains.contains(domain) else { return nil }
        return BoundHost(domain).map { .boundTo(host: $0) }
    }

    /// Returns the app credential. Empty fields count as absent, except a web app's challenge token: SDKs in testing
    /// mode send an empty or made-up token, and must get the same error for both.
    private func appCredential() throws(WireError) -> AppCredential {
        if let receipt = try fields.nonEmptyText("iosReceipt") {
            return .pushReceipt(receipt: receipt, secret: try fields.text("iosSecret") ?? "")
        }
        if let token = try fields.text("recaptchaToken"), !token.isEmpty || platform == .web {
            return .challengeToken(token)
        }
        for name in ["playIntegrityToken", "safetyNetToken"] where try fields.nonEmptyText(name) != nil {
            return .attestation
        }
        return .absent
    }
}

extension SendVerificationCodeRefusal {
    var phone: E164? {
        switch self {
        case .phoneSignInDisabled(let phone), .regionNotAllowed(_, let phone), .secondFactorUser(let phone),
            .appNotProven(_, let phone), .limited(_, let phone), .steppedUp(_, let phone):
            phone
        case .numberInvalid, .unavailable, .internalFailure: nil
        }
    }

    /// The protocol's error. iOS retries with a new challenge token only if a bad token is reported as an invalid app
    /// credential.
    func wire(for platform: AppPlatform, reference: DecisionReference) -> WireError {
        switch self {
        case .numberInvalid(.tooShort): return .badRequest("INVALID_PHONE_NUMBER : TOO_SHORT")
        case .numberInvalid(.tooLong): return .badRequest("INVALID_PHONE_NUMBER : TOO_LONG")
        case .numberInvalid: return .badRequest("INVALID_PHONE_NUMBER : Invalid format.")
        case .phoneSignInDisabled: return .phoneSignInDisabled
        case .regionNotAllowed(.unassigned, _):
            return .badRequest(
                "INVALID_PHONE_NUMBER : Invalid format.",
                logDetail: SMSRegionRefusal.unassigned.description
            )
        case .regionNotAllowed(let refusal, _):
            return .badRequest(
                "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.",
                logDetail: refusal.description
            )
        case .secondFactorUser: return .phoneNumberOfSecondFactorUser
        case .appNotProven(let failure, _): return .appNotProven(failure, platform)
        case .limited(let exceeded, _):
            return .limited(
                "\(exceeded.scope.wireCode) : Reference \(reference.text).",
                retryAfter: exceeded.retryAfter,
                logDetail: exceeded.description
            )
        case .steppedUp(let stepUp, _):
            switch (stepUp.level, stepUp.cause, platform) {
            case (.denied, .debt, _), (.normal, _, _):
                return .denied("TOO_MANY_ATTEMPTS_TRY_LATER", stepUp, reference)
            case (.denied, .spending, _): return .denied("QUOTA_EXCEEDED", stepUp, reference)
            case (.challenged, _, .web): return .badRequest("CAPTCHA_CHECK_FAILED", logDetail: stepUp.description)
            // SDKs drop their credential and open the challenge page, because they get no silent push.
            case (.challenged, _, _): return .badRequest("INVALID_APP_CREDENTIAL", logDetail: stepUp.description)
            }
        case .unavailable(let store): return .unavailable(logDetail: store.description)
        case .internalFailure: return .internalError(logDetail: "sealing failed")
        }
    }
}

extension WireError {
    /// Returns the protocol's error, the same wherever an app must be verified.
    static func appNotProven(_ failure: AppProofFailure, _ platform: AppPlatform) -> WireError {
        switch (failure, platform) {
        case (.missing, _): .badRequest("MISSING_APP_CREDENTIAL")
        case (.invalid(let reason), .web): .badRequest("CAPTCHA_CHECK_FAILED", logDetail: reason.rawValue)
        case (.invalid(let reason), _): .badRequest("INVALID_APP_CREDENTIAL", logDetail: reason.rawValue)
        }
    }

    fileprivate static func denied(_ code: String, _ stepUp: StepUp, _ reference: DecisionReference) -> WireError {
        .limited(
            "\(code) : Reference \(reference.text).",
            retryAfter: .milliseconds(stepUp.retryAfterMilliseconds),
            logDetail: stepUp.description
        )
    }
}

extension SendCounter.Scope {
    /// The protocol's error code: one for limits that a user can wait out, another for limits that the operator must
    /// know of.
    fileprivate var wireCode: String {
        switch self {
        case .number, .network, .network56, .network48, .appCredential: "TOO_MANY_ATTEMPTS_TRY_LATER"
        case .project, .deployment: "QUOTA_EXCEEDED"
        }
    }
}
