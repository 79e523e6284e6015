internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Reverts the addition of a second factor, by an action code that a blocking hook received.
extension IdentityToolkitHandler {
    static func checkSecondFactorRevert(_ code: String, _ call: Call) throws(WireError) -> Response {
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

    static func revertSecondFactor(_ code: String, _ call: Call) throws(WireError) -> Response {
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
