internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers

extension IdentityToolkitHandler {
    static func signInWithPhoneNumber(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        var request = SignInWithPhoneNumberRequest(
            try call.phoneEvidence(),
            idToken: try call.fields.nonEmptyText("idToken"),
            operation: try call.phoneOperation()
        )
        request.client = call.client
        do {
            let signedIn = try call.operation.signInWithPhoneNumber(request)
            call.record.phone = signedIn.phone
            call.record.reason = signedIn.isNewUser ? "new-account" : request.idToken == nil ? "signed-in" : "linked"
            return .json(
                JSONWriter.object { json in
                    json.tokens(idToken: signedIn.idToken, refreshToken: signedIn.refreshToken)
                    json.member("localId", signedIn.uid)
                    json.member("isNewUser", signedIn.isNewUser)
                    json.member("phoneNumber", signedIn.phone.text)
                }
            )
        } catch .numberOfAnotherAccount(let phone, let proof) {
            call.record.phone = phone
            call.record.reason = "number-of-another-account"
            return .json(
                JSONWriter.object { json in
                    json.member("phoneNumber", phone.text)
                    json.member("temporaryProof", proof)
                    json.member(
                        "temporaryProofExpiresIn",
                        String(TemporaryProof.lifetime.components.seconds)
                    )
                }
            )
        } catch {
            call.record.phone = error.phone
            throw error.wire
        }
    }
}

extension Call {
    fileprivate func phoneEvidence() throws(WireError) -> SignInWithPhoneNumberRequest.Evidence {
        if let proof = try fields.nonEmptyText("temporaryProof") {
            guard let phoneNumber = try fields.nonEmptyText("phoneNumber") else {
                throw .code(.missingPhoneNumber)
            }
            return .temporaryProof(proof, phoneNumber: phoneNumber)
        }
        guard let sessionInfo = try fields.nonEmptyText("sessionInfo") else {
            throw .code(.missingSessionInfo)
        }
        guard let code = try fields.nonEmptyText("code") else { throw .code(.missingCode) }
        return .code(sessionInfo: sessionInfo, code: code)
    }

    /// Returns the requested operation. `UPDATE` and `LINK` require an ID token. Without it the request would sign in
    /// to another account instead of linking the number.
    fileprivate func phoneOperation() throws(WireError) -> SignInWithPhoneNumberRequest.Operation {
        let operations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]
        switch try fields.enumeration("operation", operations) {
        case nil, "VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN": return .signUpOrIn
        case "REAUTH": return .reauthenticate
        case "UPDATE", "LINK":
            _ = try requiredIDToken()
            return .signUpOrIn
        default: throw .invalidPayload("Invalid value at 'operation'.")
        }
    }
}

extension SignInWithPhoneNumberRefusal {
    fileprivate var phone: E164? {
        switch self {
        case .code(let refusal): refusal.phone
        case .phoneSignInDisabled(let phone), .notAuthenticated(_, let phone), .accountDisabled(let phone),
            .secondFactorUser(let phone), .accountUnknown(let phone), .numberRecycled(let phone),
            .numberOfAnotherAccount(let phone, _), .numberExists(let phone):
            phone
        case .temporaryProofInvalid, .failed: nil
        }
    }

    fileprivate var wire: WireError {
        switch self {
        case .code(let refusal): refusal.wire
        case .temporaryProofInvalid: .code(.invalidTemporaryProof)
        case .phoneSignInDisabled: .phoneSignInDisabled
        case .notAuthenticated(let refusal, _): refusal.wire
        case .accountDisabled: .code(.userDisabled)
        case .secondFactorUser: .phoneNumberOfSecondFactorUser
        case .accountUnknown: .code(.userNotFound)
        case .numberRecycled:
            .code(
                .credentialTooOldLoginAgain,
                "The number was last proven too long ago. Sign in in another way, then update it.",
                logDetail: "the number may have been recycled"
            )
        case .numberOfAnotherAccount, .numberExists: .code(.phoneNumberExists)
        case .failed(let failure): failure.wire
        }
    }
}
