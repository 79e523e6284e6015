internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    func updateAccount(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        if let code = try call.fields.nonEmptyText("oobCode") { return try applyActionCode(code, call, &record) }
        let request = try updateRequest(call)
        do {
            let updated = try authenticator.updateAccount(request, in: call.project)
            record.reason = "updated"
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#SetAccountInfoResponse")
                    json.member("localId", updated.account.uid)
                    json.profile(of: updated.account)
                    json.providers(of: updated.account)
                    if let tokens = updated.tokens {
                        json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                    }
                }
            )
        } catch {
            throw error.wire
        }
    }

    private typealias Change = UpdateAccountRequest.Change

    private func updateRequest(_ call: Call) throws(WireError) -> UpdateAccountRequest {
        let fields = call.fields
        guard let idToken = try fields.nonEmptyText("idToken") else {
            throw .badRequest("INVALID_REQ_TYPE : Unsupported request parameters.")
        }
        guard try fields.text("customAttributes") == nil else { throw .badRequest("INSUFFICIENT_PERMISSION") }
        // Only an operator may change these fields. Ignoring them would look like success.
        guard try fields.flag("disableUser") == nil, try fields.text("phoneNumber") == nil else {
            throw .badRequest("OPERATION_NOT_ALLOWED")
        }
        var request = UpdateAccountRequest(idToken: idToken)
        request.client = call.client
        let removed = try fields.removedAttributes()
        request.displayName = try Change(fields.text("displayName"), isRemoved: removed.contains("DISPLAY_NAME"))
        request.photoURL = try Change(fields.text("photoUrl"), isRemoved: removed.contains("PHOTO_URL"))
        let providers = try fields.texts("deleteProvider")
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

extension UpdateAccountRefusal {
    var wire: WireError {
        switch self {
        case .notAuthenticated(let refusal): refusal.wire
        case .credential(let refusal): refusal.wire
        case .displayNameTooLong: .displayNameTooLong
        case .photoURLTooLong: .badRequest("INVALID_PROFILE_ATTRIBUTE : Photo URL too long.")
        case .failed(let failure): failure.wire
        }
    }
}
