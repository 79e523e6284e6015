/// A user's operation on second factors: `/v2/accounts/…`. The raw values are the names in logs.
enum SecondFactorOperation: String, Hashable, Sendable, CaseIterable {
    case startEnrollment = "mfaEnrollment.start"
    case finishEnrollment = "mfaEnrollment.finalize"
    case withdraw = "mfaEnrollment.withdraw"
    /// An extension: the protocol has no recovery codes.
    case generateRecoveryCodes = "mfaRecoveryCodes.generate"
    case startSignIn = "mfaSignIn.start"
    case finishSignIn = "mfaSignIn.finalize"

    var path: String { "/v2/accounts/" + rawValue.map { $0 == "." ? ":" : String($0) }.joined() }
}
