internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Verifies a second factor after the first: `/v2/accounts/mfaSignIn:…`.
extension IdentityToolkitHandler {
    static func startSecondFactorSignIn(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        try SecondFactorRefusal.onWire(for: call, call.project.requireSecondFactors(.sms))
        guard let pendingCredential = try call.fields.nonEmptyText("mfaPendingCredential") else {
            throw .code(.missingMFAPendingCredential, "Request does not have MFA pending credential.")
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
        return try message.sending(answeringIn: "phoneResponseInfo", call.operation.startSecondFactorSignIn(request))
    }

    /// Finishes a sign-in with a second factor. The phone number that iOS sends back is masked and is ignored: the
    /// session identifies the factor.
    static func finishSecondFactorSignIn(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let pendingCredential = try call.fields.nonEmptyText("mfaPendingCredential") else {
            throw .code(.missingCredential, "Please set MFA Pending Credential.")
        }
        var request = FinishSecondFactorSignInRequest(
            pendingCredential: pendingCredential,
            try call.secondFactorEvidence()
        )
        request.client = call.client
        let tokens = try SecondFactorRefusal.onWire(for: call, call.operation.finishSecondFactorSignIn(request))
        call.record.reason = "signed-in"
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
        guard let code = try app.nonEmptyText("verificationCode") else { throw .code(.missingCode) }
        return .totp(secondFactorID: id, code: code)
    }
}

/// Shared by the routes about second factors.
extension Call {
    /// Sends a message, and returns its session in an object of this name.
    func sending(
        answeringIn name: String,
        _ send: @autoclosure () throws(SecondFactorRefusal) -> SentVerificationCode
    ) throws(WireError) -> Response {
        let sent = try SecondFactorRefusal.onWire(for: self, send())
        record.note(sent)
        return .json(
            JSONWriter.object { json in
                json.object(name) { $0.members(of: sent, resendDelay: operation.resendDelay) }
            }
        )
    }
}

extension JSONWriter {
    /// Writes the tokens of a session in the form of second-factor responses: without their lifetime.
    mutating func tokens(_ tokens: IssuedTokens) {
        member("idToken", tokens.idToken)
        member("refreshToken", tokens.refreshToken)
    }
}

extension Fields {
    /// Returns the answer to a second factor: a session and its code.
    func answer(codeName: String) throws(WireError) -> (sessionInfo: String, code: String) {
        guard let code = try nonEmptyText(codeName) else { throw .code(.missingCode) }
        guard let sessionInfo = try nonEmptyText("sessionInfo") else { throw .code(.missingSessionInfo) }
        return (sessionInfo, code)
    }
}

extension WireError {
    static let missingSecondFactorID = code(
        .missingMFAEnrollmentID,
        "No second factor identifier is provided."
    )
}
