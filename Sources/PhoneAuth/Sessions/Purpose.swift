internal import RedisStore

/// What a verification session is for. A code of one purpose is worth nothing for another.
public enum Purpose: String, Sendable, CaseIterable {
    /// Signing in with a phone number.
    case signIn = "sign-in"
    /// Giving an account a second factor.
    case secondFactorEnrollment = "second-factor-enrollment"
    /// Proving a second factor after the first one.
    case secondFactorSignIn = "second-factor-sign-in"

    var wireByte: UInt8 {
        switch self {
        case .signIn: 1
        case .secondFactorEnrollment: 2
        case .secondFactorSignIn: 3
        }
    }
}

/// What a session is for, and whose it is.
///
/// A session for signing in is nobody's yet. One for a second factor is of the account that asks, and where it is to prove a factor,
/// of that: a `sessionInfo` that somebody else comes by, or that was made for another factor, is unknown to them.
struct SessionScope: Sendable, Hashable {
    let purpose: Purpose
    /// A keyed hash of its holder; empty where it is nobody's.
    let holder: [UInt8]

    static let holderByteCount = 16
    static let signIn = SessionScope(purpose: .signIn, holder: [])

    init(purpose: Purpose, holder: [UInt8]) {
        self.purpose = purpose
        self.holder = holder
    }

    /// A session by which an account gets a second factor.
    static func enrollment(in account: AccountIdentity, _ keys: ServerKeys) -> SessionScope {
        SessionScope(.secondFactorEnrollment, account, secondFactorID: "", keys)
    }

    /// A session that proves an account's second factor.
    static func secondFactor(_ id: String, of account: AccountIdentity, _ keys: ServerKeys) -> SessionScope {
        SessionScope(.secondFactorSignIn, account, secondFactorID: id, keys)
    }

    private init(_ purpose: Purpose, _ account: AccountIdentity, secondFactorID: String, _ keys: ServerKeys) {
        let hash = keys.indexes(
            "session-holder",
            .text(purpose.rawValue),
            .text(account.project),
            .text(account.uid),
            .text(secondFactorID)
        )
        self.init(purpose: purpose, holder: Array(hash.prefix(Self.holderByteCount)))
    }
}
