internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Actions that users confirm by a link in an e-mail.
extension IdentityToolkitHandler {
    static func sendOobCode(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let request = try EmailActionRequest(call.fields, in: call.project, call.isDevelopment, call.actionLink)
        guard !request.returnsLink else { throw .code(.insufficientPermission) }
        return try sendOobCode(request, call.operation, call.record)
    }

    static func sendOobCode(_ call: AdminCall) throws(WireError) -> Response {
        let operation = try StoreUnavailable.onWire(call.operation.configured())
        let request = try EmailActionRequest(
            call.fields,
            in: operation.project,
            operation.authenticator.isDevelopment,
            call.actionLink
        )
        return try sendOobCode(request, operation, call.record)
    }

    private static func sendOobCode(
        _ request: EmailActionRequest,
        _ operation: OperationContext,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let requested = try EmailActionRefusal.onWire(operation.requestEmailAction(request))
        record.reason = "requested"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetOobConfirmationCodeResponse")
                json.member("email", requested.email.text)
                if let code = requested.code { json.member("oobCode", code) }
                if let link = requested.link { json.member("oobLink", link) }
            }
        )
    }

    /// The SDKs' `checkActionCode` and `confirmPasswordReset`.
    static func resetPassword(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let password = try call.fields.nonEmptyText("newPassword")
        guard let text = try call.fields.nonEmptyText("oobCode") else { throw .code(.missingOOBCode) }
        guard let code = EmailCode(text) else {
            guard password == nil else { throw EmailActionRefusal.codeInvalid.wire }
            return try checkSecondFactorRevert(text, call)
        }
        let action: EmailAction
        if let password {
            action = try EmailActionRefusal.onWire(call.operation.resetPassword(code, to: password))
            call.record.reason = "reset"
        } else {
            action = try EmailActionRefusal.onWire(call.operation.action(of: code))
            call.record.reason = "checked"
        }
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#ResetPasswordResponse")
                json.member("requestType", action.kind.rawValue)
                // Whoever has the link alone must not learn whom it signs in.
                if action.kind != .signIn { json.member("email", action.email.text) }
                if let newEmail = action.newEmail { json.member("newEmail", newEmail.text) }
            }
        )
    }

    /// The SDKs' `applyActionCode`.
    static func applyActionCode(_ text: String, _ call: Call) throws(WireError) -> Response {
        guard let code = EmailCode(text) else { return try revertSecondFactor(text, call) }
        let account = try EmailActionRefusal.onWire(call.operation.applyEmailAction(code, call.actionLink))
        call.record.reason = "applied"
        return .json(JSONWriter.object { $0.changedAccount(account) })
    }

    static func signInWithEmailLink(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard call.project.isEmailLinkSignInEnabled else { throw EmailActionRefusal.notOffered.wire }
        guard let email = try call.fields.nonEmptyText("email") else { throw .code(.missingEmail) }
        guard let text = try call.fields.nonEmptyText("oobCode") else { throw .code(.missingOOBCode) }
        guard let code = EmailCode(text) else { throw EmailActionRefusal.codeInvalid.wire }
        var request = SignInWithEmailLinkRequest(email: email, code: code, client: call.client)
        request.idToken = try call.fields.nonEmptyText("idToken")
        request.recoveryLink = call.actionLink
        let signIn = try EmailActionRefusal.onWire(call.operation.signInWithEmailLink(request))
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#EmailLinkSigninResponse")
                switch signIn {
                case .signedIn(let tokens):
                    call.record.reason = "signed-in"
                    json.member("localId", tokens.account.uid)
                    json.names(of: tokens.account)
                    json.member("isNewUser", tokens.isNewUser)
                    json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                case .secondFactorRequired(let challenge):
                    call.record.reason = "second-factor-required"
                    json.secondFactorRequired(challenge)
                }
            }
        )
    }
}

extension EmailActionRequest {
    private static let types = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
        "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// Reads a request, with the SDKs' `ActionCodeSettings`.
    fileprivate init(
        _ fields: Fields,
        in project: Project,
        _ isDevelopment: Bool,
        _ link: ActionLink
    ) throws(WireError) {
        guard let type = try fields.enumeration("requestType", Self.types), !type.isEmpty, type != Self.types[0] else {
            throw .code(.missingRequestType)
        }
        guard let kind = EmailActionKind(rawValue: type), kind != .recoverEmail else {
            throw .code(.invalidRequestType, "Unsupported request type.")
        }
        guard isDevelopment || !project.namedDomains.isEmpty else {
            throw .code(.operationNotAllowed, logDetail: "the project has no authorized domain for links")
        }
        self.init(kind, try link.with(settings: fields, kind, in: project, isDevelopment))
        email = try fields.nonEmptyText("email")
        newEmail = try fields.nonEmptyText("newEmail")
        idToken = try fields.nonEmptyText("idToken")
        returnsLink = try fields.flag("returnOobLink") ?? false
        guard kind != .changeEmail || newEmail == nil || returnsLink || idToken != nil else {
            throw .code(.missingIDToken)
        }
    }
}

extension ActionLink {
    /// Returns the link with the host and the continue URL of a request's settings.
    fileprivate func with(
        settings fields: Fields,
        _ kind: EmailActionKind,
        in project: Project,
        _ isDevelopment: Bool
    ) throws(WireError) -> ActionLink {
        let androidApp = try fields.nonEmptyText("androidPackageName")
        if androidApp == nil {
            let version = try fields.nonEmptyText("androidMinimumVersionCode")
            let installs = try fields.flag("androidInstallApp") == true
            guard version == nil, !installs else { throw .code(.missingAndroidPackageName) }
        }
        let isForApp = try fields.flag("canHandleCodeInApp") == true
        let appleApp = try fields.nonEmptyText("iOSBundleId")
        var link = self
        link.opensApp = isForApp && (androidApp ?? appleApp) != nil
        for (name, code) in [
            ("linkDomain", ErrorCode.invalidHostingLinkDomain), ("dynamicLinkDomain", .invalidDynamicLinkDomain),
        ] {
            guard let domain = try fields.nonEmptyText(name) else { continue }
            guard project.authorizedDomains.contains(domain) else { throw .code(code) }
            link.origin = "https://\(domain)"
        }
        link.continueURL = try fields.nonEmptyText("continueUrl")
        guard let url = link.continueURL else {
            // The page of a link that signs in has nowhere else to go.
            let isNeeded = isForApp || kind == .signIn && !isDevelopment
            guard !isNeeded else { throw .code(.missingContinueURI) }
            return link
        }
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw .code(.invalidContinueURI, "The continue URL must be an absolute http or https URL.")
        }
        guard isDevelopment || ContinueURL(url, authorizedBy: project, allowsLoopback: false) != nil else {
            throw .code(.unauthorizedDomain, "The domain of the continue URL is not authorized.")
        }
        return link
    }
}

extension EmailActionRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .notOffered: .code(.operationNotAllowed, logDetail: "sign-in by e-mail is disabled")
        case .passwordSignInDisabled: .code(.passwordLoginDisabled)
        case .emailMissing: .code(.missingEmail)
        case .newEmailMissing: .code(.missingNewEmail)
        case .emailUnknown: .code(.emailNotFound)
        case .accountUnknown: .code(.userNotFound)
        case .codeInvalid: .code(.invalidOOBCode)
        case .codeExpired: .code(.expiredOOBCode)
        case .emailMismatched:
            .code(.invalidEmail, "The email provided does not match the sign-in email address.")
        case .credential(let refusal): refusal.wire
        case .accountDisabled: .code(.userDisabled)
        case .notAuthenticated(let refusal): refusal.wire
        case .failed(let failure): failure.wire
        }
    }
}
