internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func lookup(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        let (account, byFormerToken) = try IDTokenRefusal.onWire(call.operation.lookUpAccount(idToken: idToken))
        call.record.reason = "found"
        var response = Response.json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#GetAccountInfoResponse")
                json.array("users") { $0.account(account, for: .user) }
            }
        )
        // The JS SDK stores the user with the tokens that it has when it gets the response. So nginx takes more than a
        // second to send it: until then, the tab reads the present tokens from its storage, which it would overwrite.
        if byFormerToken { response.headers.append(("X-Accel-Limit-Rate", String(response.body.count / 2 - 1))) }
        return response
    }
}

extension IdentityToolkitHandler {
    static func updateAccount(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        if let code = try call.fields.nonEmptyText("oobCode") { return try applyActionCode(code, call) }
        let request = try updateRequest(call)
        let updated = try UpdateAccountRefusal.onWire(call.operation.updateAccount(request))
        call.record.reason = "updated"
        return .json(
            JSONWriter.object { json in
                json.changedAccount(updated.account)
                if let tokens = updated.tokens {
                    json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                }
            }
        )
    }

    private typealias Change = UpdateAccountRequest.Change

    private static func updateRequest(_ call: Call) throws(WireError) -> UpdateAccountRequest {
        let fields = call.fields
        guard let idToken = try fields.nonEmptyText("idToken") else {
            throw .code(.invalidRequestType, "Unsupported request parameters.")
        }
        guard try fields.text("customAttributes") == nil else { throw .code(.insufficientPermission) }
        // Only an operator may change these fields. Ignoring them would look like success.
        guard try fields.flag("disableUser") == nil, try fields.text("phoneNumber") == nil else {
            throw .code(.operationNotAllowed)
        }
        var request = UpdateAccountRequest(idToken: idToken)
        request.client = call.client
        request.recoveryLink = call.actionLink
        let removed = try fields.removedAttributes()
        request.displayName = try Change(fields.text("displayName"), isRemoved: removed.contains("DISPLAY_NAME"))
        request.photoURL = try Change(fields.text("photoUrl"), isRemoved: removed.contains("PHOTO_URL"))
        let providers = try fields.texts("deleteProvider") ?? []
        request.removesPhoneNumber = providers.contains("phone")
        // The e-mail address exists only for the password.
        let removesPassword = providers.contains("password")
        request.email = try Change(
            fields.nonEmptyText("email"),
            isRemoved: removesPassword || removed.contains("EMAIL")
        )
        request.password = try Change(
            fields.nonEmptyText("password"),
            isRemoved: removesPassword || removed.contains("PASSWORD")
        )
        request.revokesTokens = try fields.text("validSince") != nil
        return request
    }
}

extension IdentityToolkitHandler {
    static func deleteAccount(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        try DeleteAccountRefusal.onWire(call.operation.deleteAccount(idToken: idToken))
        call.record.reason = "deleted"
        return .json(JSONWriter.object { $0.member("kind", "identitytoolkit#DeleteAccountResponse") })
    }
}

extension DeleteAccountRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .unavailable(let store): store.wire
        }
    }
}
