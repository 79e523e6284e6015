internal import Encodings
internal import RedisStore

/// The second factor that a session was begun with: the claims `sign_in_second_factor` and `second_factor_identifier`.
struct ProvenSecondFactor: Sendable, Hashable {
    /// The claim's values.
    enum Method: String {
        case phone
        case totp
        /// Not the protocol's, because that has no recovery codes.
        case recoveryCode = "recovery_code"
    }

    let method: Method
    /// nil for recovery codes, which stand in for any.
    let id: String?

    init(_ method: Method, id: String?) {
        self.method = method
        self.id = id
    }

    /// What a refresh token remembers.
    init?(_ mark: SecondFactorMark?) {
        guard let mark, let method = Method(rawValue: mark.method) else { return nil }
        self.init(method, id: mark.id.isEmpty ? nil : mark.id)
    }

    /// What an ID token says.
    init?(claims firebase: JSONObject) {
        guard case .string(let name) = firebase["sign_in_second_factor"], let method = Method(rawValue: name) else {
            return nil
        }
        guard case .string(let id) = firebase["second_factor_identifier"] else {
            self.init(method, id: nil)
            return
        }
        self.init(method, id: id)
    }

    var mark: SecondFactorMark? { SecondFactorMark(method: method.rawValue, id: id ?? "") }
}
