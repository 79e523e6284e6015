internal import Encodings
internal import FastCGI
internal import OperatorPage
internal import PhoneAuth
internal import TryItPage

/// The reference emulator's own routes, so that test suites written for it run against Dialtone.
extension IdentityToolkitHandler {
    static func verificationCodes(_ operation: OperationContext, _: borrowing Request) throws(WireError) -> Response {
        let pending = try StoreUnavailable.onWire(operation.pendingVerifications())
        return .json(
            JSONWriter.object { json in
                json.array("verificationCodes") { json in
                    for verification in pending {
                        json.object { json in
                            json.member("phoneNumber", verification.phoneNumber)
                            json.member("sessionInfo", verification.sessionInfo)
                            json.member("code", verification.code.digits)
                        }
                    }
                }
            }
        )
    }

    static func deleteAllAccounts(_ operation: OperationContext, _: borrowing Request) throws(WireError) -> Response {
        try StoreUnavailable.onWire(operation.authenticator.checkDeployment())
        try StoreUnavailable.onWire(operation.deleteAllAccounts())
        return .json(JSONWriter.object { _ in })
    }

    /// Returns the two members of the project's configuration that the emulator has. The admin interface has the same
    /// configuration.
    static func showEmulatorConfig(_ operation: OperationContext, _: borrowing Request) throws(WireError) -> Response {
        let current = try StoreUnavailable.onWire(operation.configuration())
        return .json(
            JSONWriter.object { json in
                json.object("signIn") { json in
                    json.member("allowDuplicateEmails", current.configuration.allowsDuplicateEmails ?? false)
                }
                json.object("emailPrivacyConfig") { json in
                    json.member("enableImprovedEmailPrivacy", current.project.protectsEmails)
                }
            }
        )
    }

    /// Changes the same members, and returns them.
    static func changeEmulatorConfig(
        _ operation: OperationContext,
        _ request: borrowing Request
    ) throws(WireError) -> Response {
        let fields = try request.jsonFields()
        var change = JSONObject()
        var mask: [String] = []
        for (object, name) in [
            ("signIn", "allowDuplicateEmails"), ("emailPrivacyConfig", "enableImprovedEmailPrivacy"),
        ] {
            guard let flag = try fields.fields(object)?.flag(name) else { continue }
            change[path: [object, name]] = .bool(flag)
            mask.append("\(object).\(name)")
        }
        // An empty update mask would mean all fields.
        if !mask.isEmpty {
            _ = try ChangeConfigurationRefusal.onWire(operation.changeConfiguration(change, mask: mask))
        }
        return try showEmulatorConfig(operation, request)
    }

    static func oobCodes(_ operation: OperationContext, _: borrowing Request) throws(WireError) -> Response {
        let pending = try StoreUnavailable.onWire(operation.pendingEmailActions())
        return .json(
            JSONWriter.object { json in
                json.array("oobCodes") { json in
                    for (action, code, link) in pending {
                        json.object { json in
                            json.member("email", action.email.text)
                            if let newEmail = action.newEmail { json.member("newEmail", newEmail.text) }
                            json.member("requestType", action.kind.rawValue)
                            json.member("oobCode", code)
                            json.member("oobLink", link)
                        }
                    }
                }
            }
        )
    }

    /// Returns the text messages that development mode collects in place of a gateway.
    static func inbox(_ operation: OperationContext, _: borrowing Request) throws(WireError) -> Response {
        let messages = try StoreUnavailable.onWire(operation.inbox())
        return .json(
            JSONWriter.object { json in
                json.member("projectId", operation.project.id)
                json.array("messages") { json in
                    for message in messages {
                        json.object { json in
                            json.member("id", message.id)
                            json.member("phoneNumber", message.phoneNumber)
                            json.member("text", message.text)
                            json.member("code", message.code.digits)
                            json.member("sentAt", String(message.queuedAt.milliseconds))
                        }
                    }
                }
            }
        )
    }
}

/// The reference emulator accepts unverified second-factor numbers at sign-up, and test suites create their accounts
/// this way. In production a sign-up's `mfaInfo` is ignored.
extension IdentityToolkitHandler {
    /// Adds the second factors of a sign-up to the new account, or deletes the account if they are rejected.
    static func assignSecondFactors(to tokens: IssuedTokens, _ call: Call) throws(WireError) {
        var change = AccountChange()
        change.secondFactors = try AccountRequest.creation.secondFactors(call.fields)
        guard change.secondFactors != nil else { return }
        let uid = tokens.account.uid
        do {
            _ = try call.operation.changeAccount(uid: uid, change)
        } catch {
            call.operation.deleteHalfMadeAccount(uid: uid)
            throw error.wire
        }
    }
}

extension IdentityToolkitHandler {
    /// Returns an asset of the page on which newcomers try the server. Tools that wait for the reference emulator send
    /// `GET /` without accepting HTML, and get its status.
    static func tryItAsset(_ asset: OperatorPage.Asset, _ request: borrowing Request) -> Response {
        if asset.path == "/", !(request.parameter("HTTP_ACCEPT") ?? "").contains("text/html") {
            return .json(
                JSONWriter.object { json in
                    json.object("authEmulator") { $0.member("ready", true) }
                }
            )
        }
        return Response(
            status: 200,
            headers: [
                ("Content-Type", asset.contentType),
                ("Content-Security-Policy", TryItPage.contentSecurityPolicy),
                ("Cache-Control", "no-cache"),
            ],
            body: asset.body
        )
    }
}
