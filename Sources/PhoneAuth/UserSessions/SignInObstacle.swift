internal import RedisScripts

/// Why a sign-in failed: the outcomes of `record-sign-in.lua` other than success. No sign-in was recorded. The header
/// of the script says what else it wrote.
///
/// To add an outcome, add its word to the script and to `Word`. The compiler then finds the refusals that must name it:
/// those of ID tokens, of phone sign-ins and of links. The other flows name the obstacles that their requests can meet.
/// Obstacles that only some requests can meet are grouped: ID tokens and second factors.
public enum SignInObstacle: Sendable {
    /// The account is disabled. If the sign-in's own changes disable it, they were made.
    case disabled
    /// The presented ID token is not accepted.
    case token(Token)
    /// The account does not exist and may not be created. `wasDeleted`: no identifier led to the account, and it was
    /// deleted recently.
    case noAccount(wasDeleted: Bool)
    /// The account exists, but this sign-in did not create it.
    case exists
    /// The account will never hold the identifier's claim, or has a different password.
    case notHeld
    /// The number may have been recycled; the user must sign in in another way.
    case recycled
    /// The second factor is missing or was refused.
    case secondFactor(SecondFactor)

    /// Why an ID token is not accepted.
    public enum Token: Sendable {
        case revoked
        /// Its sign-in is too old to link anything.
        case tooOld
    }

    /// Why a second factor is missing or was refused.
    public enum SecondFactor: Sendable {
        /// The account must be asked for a second factor. The changes were made.
        case required(AccountRecord)
        /// The need is not met. A wrong code was recorded.
        case refused(SecondFactorFault)
    }
}

extension SignInObstacle {
    /// The script's words, except those of a ``SecondFactorFault``. A test compares both with the script's header.
    enum Word: String, CaseIterable {
        case disabled, revoked, exists, recycled
        case tooOld = "too-old"
        case noAccount = "no-account"
        case notHeld = "not-held"
        case secondFactor = "second-factor"
    }

    /// Reads the outcome from a reply of the script.
    init(_ reply: ScriptReply) throws(StoreUnavailable) {
        guard let word = Word(rawValue: try reply.outcome()) else {
            self = .secondFactor(.refused(try SecondFactorFault(reply)))
            return
        }
        switch word {
        case .disabled: self = .disabled
        case .revoked: self = .token(.revoked)
        case .tooOld: self = .token(.tooOld)
        case .noAccount: self = .noAccount(wasDeleted: try reply.integer(at: 1) == 1)
        case .exists: self = .exists
        case .notHeld: self = .notHeld
        case .recycled: self = .recycled
        case .secondFactor:
            guard let account = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            self = .secondFactor(.required(account))
        }
    }
}
