internal import Encodings

/// The second factor with which a session began: the claims `sign_in_second_factor` and `second_factor_identifier`.
struct ProvenSecondFactor: Sendable, Hashable {
    /// The values of `sign_in_second_factor`.
    enum Method: String {
        case phone
        case totp
        /// Not in the protocol, which has no recovery codes.
        case recoveryCode = "recovery_code"
    }

    let method: Method
    /// nil for recovery codes, which replace any factor.
    let id: String?

    init(_ method: Method, id: String?) {
        self.method = method
        self.id = id
    }

    /// Reads the factor stored with a refresh token.
    init?(_ mark: SecondFactorMark?) {
        guard let mark, let method = Method(rawValue: mark.method) else { return nil }
        self.init(method, id: mark.id.isEmpty ? nil : mark.id)
    }

    /// Reads the factor from an ID token's `firebase` claim.
    init?(claims firebase: JSONObject) {
        guard let method = firebase["sign_in_second_factor"]?.text.flatMap(Method.init) else { return nil }
        self.init(method, id: firebase["second_factor_identifier"]?.text)
    }

    var mark: SecondFactorMark? { SecondFactorMark(method: method.rawValue, id: id ?? "") }
}
