internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// How users undo that a second factor was added, by what the protocol calls an action code. There are no others: no e-mail is sent.
extension IdentityToolkitHandler {
    /// The SDKs' `checkActionCode`: what a code would do.
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

    /// The SDKs' `applyActionCode`.
    func applyActionCode(
        _ code: String,
        _ call: Call,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        // Those that a user applies who is signed in come with e-mails.
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
    /// The protocol's words.
    fileprivate var wire: WireError {
        switch self {
        case .codeInvalid: .badRequest("INVALID_OOB_CODE")
        case .codeExpired: .badRequest("EXPIRED_OOB_CODE")
        case .failed(let failure): failure.wire
        }
    }
}
