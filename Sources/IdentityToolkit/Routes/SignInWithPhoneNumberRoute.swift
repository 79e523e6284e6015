internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

extension IdentityToolkitHandler {
    func signInWithPhoneNumber(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        try refuseTemporaryProof(call)
        guard let sessionInfo = try call.fields.nonEmptyText("sessionInfo") else {
            throw .badRequest("MISSING_SESSION_INFO")
        }
        guard let code = try call.fields.nonEmptyText("code") else { throw .badRequest("MISSING_CODE") }
        try refuseLinking(call)
        do {
            let signedIn = try authenticator.signInWithPhoneNumber(
                SignInWithPhoneNumberRequest(sessionInfo: sessionInfo, code: code, requestID: call.requestID),
                in: call.project
            )
            record.phone = signedIn.phone
            record.reason = signedIn.isNewUser ? "new-account" : "signed-in"
            return .json(
                JSONWriter.object { json in
                    json.member("idToken", signedIn.idToken)
                    json.member("refreshToken", signedIn.refreshToken)
                    json.member("expiresIn", String(Policy.idTokenLifetime.components.seconds))
                    json.member("localId", signedIn.uid)
                    json.member("isNewUser", signedIn.isNewUser)
                    json.member("phoneNumber", signedIn.phone.text)
                }
            )
        } catch {
            record.phone = error.phone
            throw error.wire
        }
    }

    /// No temporary proofs are handed out, so none is good.
    private func refuseTemporaryProof(_ call: Call) throws(WireError) {
        guard try call.fields.nonEmptyText("temporaryProof") != nil else { return }
        guard try call.fields.nonEmptyText("phoneNumber") != nil else {
            throw .badRequest("MISSING_PHONE_NUMBER")
        }
        throw .badRequest("INVALID_TEMPORARY_PROOF")
    }

    /// Signing somebody else in where an account was to be linked would be worse than no answer.
    private func refuseLinking(_ call: Call) throws(WireError) {
        let operations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]
        let operation = try call.fields.enumeration("operation", operations)
        let idToken = try call.fields.nonEmptyText("idToken")
        guard idToken == nil, [nil, "VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN"].contains(operation) else {
            throw .badRequest("OPERATION_NOT_ALLOWED : Accounts cannot be linked or reauthenticated.")
        }
    }
}

extension SignInWithPhoneNumberRefusal {
    fileprivate var phone: E164? {
        switch self {
        case .sessionEnded(_, let phone), .codeWrong(_, let phone), .attemptsSpent(let phone),
            .tooManyWrongCodes(_, let phone), .phoneSignInDisabled(let phone), .accountDisabled(let phone),
            .accountDeleted(let phone):
            phone
        case .sessionInfoUnknown, .unavailable, .internalFailure: nil
        }
    }

    fileprivate var wire: WireError {
        switch self {
        case .sessionInfoUnknown: .badRequest("INVALID_SESSION_INFO")
        case .sessionEnded(let used, _): .badRequest("SESSION_EXPIRED", logDetail: used ? "used before" : "time is up")
        case .codeWrong(let left, _): .badRequest("INVALID_CODE", logDetail: "\(left) attempts left")
        case .attemptsSpent: .badRequest("TOO_MANY_ATTEMPTS_TRY_LATER", logDetail: "attempts of the session")
        case .tooManyWrongCodes(let block, _):
            .limited(
                "TOO_MANY_ATTEMPTS_TRY_LATER",
                retryAfter: .milliseconds(block.retryAfterMilliseconds),
                logDetail: "\(block.wrongCodes) wrong codes for the number"
                    + (block.isOfClient ? " by this client" : ", the most that are judged")
            )
        case .phoneSignInDisabled: .phoneSignInDisabled
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .accountDeleted: .badRequest("USER_NOT_FOUND")
        case .unavailable(let store): .unavailable(logDetail: store.description)
        case .internalFailure: .internalError(logDetail: "sealing or signing failed")
        }
    }
}
