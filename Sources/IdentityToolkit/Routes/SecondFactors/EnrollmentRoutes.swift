internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Enrolls and withdraws users' second factors: `/v2/accounts/mfaEnrollment:…`.
extension IdentityToolkitHandler {
    static func startEnrollment(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let phone = try call.fields.fields("phoneEnrollmentInfo")
        let app = try call.fields.fields("totpEnrollmentInfo")
        let isApp = phone == nil && app != nil
        let user = try enrollingUser(isApp ? .totp : .sms, call)
        if isApp {
            let enrollment = try SecondFactorRefusal.onWire(for: call, call.operation.startTOTPEnrollment(of: user))
            call.record.reason = "opened"
            return started(enrollment)
        }
        guard let phone else { throw .code(.invalidArgument, "((Missing phoneEnrollmentInfo.))") }
        let message = try call.about(phone)
        let request = try message.messageRequest()
        return try message.sending(
            answeringIn: "phoneSessionInfo",
            call.operation.startPhoneEnrollment(of: user, request)
        )
    }

    static func finishEnrollment(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let phone = try call.fields.fields("phoneVerificationInfo")
        let app = try call.fields.fields("totpVerificationInfo")
        let user = try enrollingUser(phone == nil && app != nil ? .totp : .sms, toFinish: true, call)
        let evidence: FinishSecondFactorEnrollmentRequest.Evidence
        switch (phone, app) {
        case (let phone?, _):
            let (sessionInfo, code) = try phone.answer(codeName: "code")
            evidence = .phone(sessionInfo: sessionInfo, code: code)
        case (nil, let app?):
            let (sessionInfo, code) = try app.answer(codeName: "verificationCode")
            evidence = .totp(sessionInfo: sessionInfo, code: code)
        case (nil, nil): throw .code(.invalidArgument, "((Missing phoneVerificationInfo.))")
        }
        var request = FinishSecondFactorEnrollmentRequest(
            evidence,
            displayName: try call.fields.nonEmptyText("displayName")
        )
        request.client = call.client
        let tokens = try SecondFactorRefusal.onWire(for: call, call.operation.finishEnrollment(of: user, request))
        call.record.reason = "enrolled"
        return .json(
            JSONWriter.object { json in
                json.tokens(tokens)
                if case .totp = evidence { json.object("totpAuthInfo") { _ in } }
            }
        )
    }

    static func withdrawSecondFactor(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let id = try call.fields.text("mfaEnrollmentId") ?? ""
        let tokens = try SecondFactorRefusal.onWire(
            for: call,
            call.operation.withdrawSecondFactor(id, idToken: idToken)
        )
        call.record.reason = "withdrawn"
        return .json(JSONWriter.object { $0.tokens(tokens) })
    }

    /// Creates recovery codes. An extension: the protocol has no recovery codes.
    static func generateRecoveryCodes(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        let idToken = try call.requiredIDToken()
        let codes = try SecondFactorRefusal.onWire(for: call, call.operation.makeRecoveryCodes(idToken: idToken))
        call.record.reason = "recovery-codes-made"
        return .json(
            JSONWriter.object { json in json.array("recoveryCodes") { for code in codes { $0.value(code) } } }
        )
    }

    private static func enrollingUser(
        _ kind: SecondFactorPolicy.Kind,
        toFinish: Bool = false,
        _ call: Call
    ) throws(WireError) -> EnrollingUser {
        let idToken = try call.requiredIDToken()
        return try SecondFactorRefusal.onWire(
            for: call,
            call.operation.enrollingUser(idToken: idToken, kind, toFinish: toFinish)
        )
    }

    private static func started(_ enrollment: TOTPEnrollment) -> Response {
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
