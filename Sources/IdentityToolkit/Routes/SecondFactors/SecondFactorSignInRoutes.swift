internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// Verifies a second factor after the first: `/v2/accounts/mfaSignIn:…`.
extension IdentityToolkitHandler {
    func startSecondFactorSignIn(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try call.project.requireSecondFactors(.phone)
        }
        guard let pendingCredential = try call.fields.nonEmptyText("mfaPendingCredential") else {
            throw .badRequest("MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.")
        }
        guard let id = try call.fields.nonEmptyText("mfaEnrollmentId") else { throw .missingSecondFactorID }
        guard try call.fields.fields("totpSignInInfo") == nil else { throw .secondFactorNotSupported }
        // The object contains only the app credential, which scripts for the reference emulator omit.
        let phone = try call.fields.fields("phoneSignInInfo") ?? Fields()
        let message = try call.about(phone)
        let request = StartSecondFactorSignInRequest(
            pendingCredential: pendingCredential,
            secondFactorID: id,
            message: try message.messageRequest()
        )
        return try sending(message, answeringIn: "phoneResponseInfo", &record) { () throws(SecondFactorRefusal) in
            try authenticator.startSecondFactorSignIn(request, in: call.project)
        }
    }

    /// The phone number that iOS sends back is masked and is ignored: the session identifies the factor.
    func finishSecondFactorSignIn(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let pendingCredential = try call.fields.nonEmptyText("mfaPendingCredential") else {
            throw .badRequest("MISSING_CREDENTIAL : Please set MFA Pending Credential.")
        }
        var request = FinishSecondFactorSignInRequest(
            pendingCredential: pendingCredential,
            try call.secondFactorEvidence(),
            requestID: call.requestID
        )
        request.client = call.client
        let tokens = try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try authenticator.finishSecondFactorSignIn(request, in: call.project)
        }
        record.reason = "signed-in"
        return .json(JSONWriter.object { $0.tokens(tokens) })
    }
}

extension Call {
    fileprivate func secondFactorEvidence() throws(WireError) -> FinishSecondFactorSignInRequest.Evidence {
        if let phone = try fields.fields("phoneVerificationInfo") {
            let (sessionInfo, code) = try phone.answer(codeName: "code")
            return .phone(sessionInfo: sessionInfo, code: code)
        }
        guard let app = try fields.fields("totpVerificationInfo") else {
            throw .secondFactorNotSupported
        }
        guard let id = try fields.nonEmptyText("mfaEnrollmentId") else { throw .missingSecondFactorID }
        guard let code = try app.nonEmptyText("verificationCode") else { throw .badRequest("MISSING_CODE") }
        return .totp(secondFactorID: id, code: code)
    }
}
