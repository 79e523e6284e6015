internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// Reverts the addition of a second factor, by an action code. No other action codes exist, because no e-mail is sent.
extension IdentityToolkitHandler {
    /// The SDKs' `checkActionCode`: returns what a code would do.
    func checkActionCode(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let code = try call.fields.nonEmptyText("oobCode"), try call.fields.nonEmptyText("newPassword") == nil
        else { throw .badRequest("OPERATION_NOT_ALLOWED") }
        do {
            let (account, factor) = try authenticator.checkSecondFactorRevert(code, in: call.project)
            record.reason = "checked"
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#ResetPasswordResponse")
                    if let email = account.email { json.member("email", email) }
                    json.member("requestType", "REVERT_SECOND_FACTOR_ADDITION")
                    json.secondFactor("mfaInfo", factor, for: .firstFactor)
                }
            )
        } catch {
            throw error.wire
        }
    }

    /// The SDKs' `applyActionCode`: applies a code.
    func applyActionCode(
        _ code: String,
        _ call: Call,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        // Action codes with an ID token belong to e-mails, which are not sent.
        guard try call.fields.nonEmptyText("idToken") == nil else { throw .badRequest("OPERATION_NOT_ALLOWED") }
        do {
            let account = try authenticator.revertSecondFactor(code, requestID: call.requestID, in: call.project)
            record.reason = "reverted"
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#SetAccountInfoResponse")
                    json.member("localId", account.uid)
                    json.profile(of: account)
                    json.providers(of: account)
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension RevertSecondFactorRefusal {
    /// The protocol's error.
    fileprivate var wire: WireError {
        switch self {
        case .codeInvalid: .badRequest("INVALID_OOB_CODE")
        case .codeExpired: .badRequest("EXPIRED_OOB_CODE")
        case .failed(let failure): failure.wire
        }
    }
}
