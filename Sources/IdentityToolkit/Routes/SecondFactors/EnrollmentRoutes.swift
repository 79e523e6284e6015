internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// Enrolls and withdraws users' second factors: `/v2/accounts/mfaEnrollment:…`.
extension IdentityToolkitHandler {
    func startEnrollment(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        let phone = try call.fields.fields("phoneEnrollmentInfo")
        let app = try call.fields.fields("totpEnrollmentInfo")
        let isApp = phone == nil && app != nil
        let user = try enrollingUser(isApp ? .totp : .phone, call, &record)
        if isApp {
            let enrollment = try refusing(call, &record) { () throws(SecondFactorRefusal) in
                try authenticator.startTOTPEnrollment(of: user, in: call.project)
            }
            record.reason = "opened"
            return started(enrollment)
        }
        guard let phone else { throw .badRequest("INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))") }
        let message = try call.about(phone)
        let request = try message.messageRequest()
        return try sending(message, answeringIn: "phoneSessionInfo", &record) { () throws(SecondFactorRefusal) in
            try authenticator.startPhoneEnrollment(of: user, request, in: call.project)
        }
    }

    func finishEnrollment(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        let phone = try call.fields.fields("phoneVerificationInfo")
        let app = try call.fields.fields("totpVerificationInfo")
        let user = try enrollingUser(phone == nil && app != nil ? .totp : .phone, toFinish: true, call, &record)
        let evidence: FinishSecondFactorEnrollmentRequest.Evidence
        switch (phone, app) {
        case (let phone?, _):
            let (sessionInfo, code) = try phone.answer(codeName: "code")
            evidence = .phone(sessionInfo: sessionInfo, code: code)
        case (nil, let app?):
            let (sessionInfo, code) = try app.answer(codeName: "verificationCode")
            evidence = .totp(sessionInfo: sessionInfo, code: code)
        case (nil, nil): throw .badRequest("INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))")
        }
        var request = FinishSecondFactorEnrollmentRequest(
            evidence,
            displayName: try call.fields.nonEmptyText("displayName"),
            requestID: call.requestID
        )
        request.client = call.client
        let tokens = try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try authenticator.finishEnrollment(of: user, request, in: call.project)
        }
        record.reason = "enrolled"
        return .json(
            JSONWriter.object { json in
                json.tokens(tokens)
                if case .totp = evidence { json.object("totpAuthInfo") { _ in } }
            }
        )
    }

    func withdrawSecondFactor(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let id = try call.fields.text("mfaEnrollmentId") ?? ""
        let tokens = try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try authenticator.withdrawSecondFactor(id, idToken: idToken, in: call.project)
        }
        record.reason = "withdrawn"
        return .json(JSONWriter.object { $0.tokens(tokens) })
    }

    /// An extension: the protocol has no recovery codes.
    func generateRecoveryCodes(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let codes = try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try authenticator.makeRecoveryCodes(idToken: idToken, in: call.project)
        }
        record.reason = "recovery-codes-made"
        return .json(
            JSONWriter.object { json in json.array("recoveryCodes") { for code in codes { $0.value(code) } } }
        )
    }

    private func enrollingUser(
        _ kind: SecondFactorRecord.Kind,
        toFinish: Bool = false,
        _ call: Call,
        _ record: inout RequestRecord
    ) throws(WireError) -> EnrollingUser {
        let idToken = try call.requiredIDToken()
        return try refusing(call, &record) { () throws(SecondFactorRefusal) in
            try authenticator.enrollingUser(idToken: idToken, kind, toFinish: toFinish, in: call.project)
        }
    }

    private func started(_ enrollment: TOTPEnrollment) -> Response {
        .json(
            JSONWriter.object { json in
                json.object("totpSessionInfo") { json in
                    json.member("sharedSecretKey", enrollment.secret)
                    json.member("verificationCodeLength", Int64(TOTPEnrollment.digitCount))
                    json.member("hashingAlgorithm", "SHA1")
                    json.member("periodSec", TOTPEnrollment.periodSeconds)
                    json.member("sessionInfo", enrollment.sessionInfo)
                    json.member("finalizeEnrollmentTime", enrollment.expiresAt.rfc3339)
                }
            }
        )
    }
}
