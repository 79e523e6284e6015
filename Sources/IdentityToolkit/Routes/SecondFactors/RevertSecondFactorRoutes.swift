internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Reverts the addition of a second factor, by an action code. No other action codes exist, because no e-mail is sent.
extension IdentityToolkitHandler {
    /// The SDKs' `checkActionCode`: returns what a code would do.
    static func checkActionCode(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let code = try call.fields.nonEmptyText("oobCode"), try call.fields.nonEmptyText("newPassword") == nil
        else { throw .code(.operationNotAllowed) }
        let (account, factor) = try RevertSecondFactorRefusal.onWire(call.operation.checkSecondFactorRevert(code))
        call.record.reason = "checked"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#ResetPasswordResponse")
                if let email = account.email { json.member("email", email) }
                json.member("requestType", "REVERT_SECOND_FACTOR_ADDITION")
                json.secondFactor("mfaInfo", factor, for: .firstFactor)
            }
        )
    }

    /// The SDKs' `applyActionCode`: applies a code.
    static func applyActionCode(_ code: String, _ call: Call) throws(WireError) -> Response {
        // Action codes with an ID token belong to e-mails, which are not sent.
        guard try call.fields.nonEmptyText("idToken") == nil else { throw .code(.operationNotAllowed) }
        let account = try RevertSecondFactorRefusal.onWire(call.operation.revertSecondFactor(code))
        call.record.reason = "reverted"
        return .json(JSONWriter.object { $0.changedAccount(account) })
    }
}

extension RevertSecondFactorRefusal: WireRefusal {
    /// The protocol's error.
    var wire: WireError {
        switch self {
        case .codeInvalid: .code(.invalidOOBCode)
        case .codeExpired: .code(.expiredOOBCode)
        case .failed(let failure): failure.wire
        }
    }
}
