public import Encodings
internal import RedisStore

/// What an account's user is asked for after the first factor.
public struct SecondFactor: Sendable, Confidential {
    /// What it is.
    public enum Kind: Sendable, Equatable {
        /// Codes by SMS to this number, in E.164 form; it is empty where our keys do not open it.
        case phone(number: String)
        /// Codes of an authenticator app (RFC 6238).
        case totp
    }

    /// The protocol's `mfaEnrollmentId`.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// What the user calls it.
    public let displayName: String?
    /// When it was enrolled.
    public let enrolledAt: Instant

    init(_ record: SecondFactorRecord, of account: AccountIdentity, _ keys: ServerKeys) {
        id = record.id
        displayName = record.displayName
        enrolledAt = Instant(milliseconds: record.enrolledAt)
        switch record.kind {
        case .phone:
            let number = keys.data.open(record.sealed, context: Self.sealingContext(.phone, record.id, account)) ?? []
            kind = .phone(number: String(decoding: number, as: UTF8.self))
        case .totp: kind = .totp
        }
    }

    /// A number as others than its holder may see it: every digit but the last four is a star.
    public static func obfuscated(_ number: String) -> String {
        let digits = number.dropFirst()
        return "+" + String(repeating: "*", count: max(0, digits.count - 4)) + digits.suffix(4)
    }

    static func sealingContext(_ kind: SecondFactorRecord.Kind, _ id: String, _ account: AccountIdentity) -> [UInt8] {
        Array("second-factor-\(kind.rawValue)/\(account.project)/\(account.uid)/\(id)".utf8)
    }
}

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

extension Authenticator {
    /// The secret of an account's TOTP factor; nil where our keys do not open it.
    func totpSecret(of record: SecondFactorRecord, in account: AccountIdentity) -> TOTPSecret? {
        guard record.kind == .totp else { return nil }
        return keys.data.open(record.sealed, context: SecondFactor.sealingContext(.totp, record.id, account))
            .flatMap(TOTPSecret.init)
    }
}
