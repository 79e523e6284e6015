internal import RedisStore

/// The purpose of a verification session. A code for one purpose is invalid for another.
public enum Purpose: String, Sendable, CaseIterable {
    /// Signing in with a phone number.
    case signIn = "sign-in"
    /// Adding a second factor to an account.
    case secondFactorEnrollment = "second-factor-enrollment"
    /// Proving a second factor after the first.
    case secondFactorSignIn = "second-factor-sign-in"

    var wireByte: UInt8 {
        switch self {
        case .signIn: 1
        case .secondFactorEnrollment: 2
        case .secondFactorSignIn: 3
        }
    }
}

/// The purpose and holder of a session.
///
/// A sign-in session has no holder yet. A second-factor session belongs to the account that requests it and, if it
/// proves a factor, to that factor. A `sessionInfo` that was stolen, or was issued for another factor, is rejected as
/// unknown.
struct SessionScope: Sendable, Hashable {
    let purpose: Purpose
    /// A keyed hash of the session's holder; empty if there is none.
    let holder: [UInt8]

    static let holderByteCount = 16
    static let signIn = SessionScope(purpose: .signIn, holder: [])

    init(purpose: Purpose, holder: [UInt8]) {
        self.purpose = purpose
        self.holder = holder
    }

    /// Returns the scope of a session that adds a second factor to an account.
    static func enrollment(in account: AccountIdentity, _ keys: ServerKeys) -> SessionScope {
        SessionScope(.secondFactorEnrollment, account, secondFactorID: "", keys)
    }

    /// Returns the scope of a session that proves an account's second factor.
    static func secondFactor(_ id: String, of account: AccountIdentity, _ keys: ServerKeys) -> SessionScope {
        SessionScope(.secondFactorSignIn, account, secondFactorID: id, keys)
    }

    private init(_ purpose: Purpose, _ account: AccountIdentity, secondFactorID: String, _ keys: ServerKeys) {
        let hash = keys.lookups(
            "session-holder",
            .text(purpose.rawValue),
            .text(account.project),
            .text(account.uid),
            .text(secondFactorID)
        )
        self.init(purpose: purpose, holder: Array(hash.prefix(Self.holderByteCount)))
    }
}
