/// An operation on the account of an ID token, with the freshness of the sign-in that the operation requires.
///
/// An ID token is valid for an hour and is sent to other servers, so it may be stolen. A stolen token must not suffice
/// for account takeover. Adding a sign-in method is as sensitive as replacing one, and so are second factors and new
/// sessions.
///
/// ``OperationContext/authorize(_:for:)`` is the only source of an ``AuthenticatedUser`` and requires a case, so a new
/// operation cannot skip the decision. The table in <doc:RecentSignIns> has a row for each case.
public enum IDTokenOperation: String, CaseIterable, Sendable {
    /// Reads the account.
    case lookUp
    /// Changes the display name or the photo.
    case changeProfile
    /// Proves the account's number again. Changes nothing and starts a new session.
    case reauthenticate
    /// Links the account's first number, or proves the number that the account already has.
    case linkPhoneNumber
    /// Replaces the number.
    case changePhoneNumber
    /// Removes the number.
    case unlinkPhoneNumber
    /// Links the account's first e-mail address or its first password.
    case linkPassword
    /// Replaces the e-mail address.
    case changeEmail
    /// Replaces the password.
    case changePassword
    /// Removes the e-mail address or the password.
    case unlinkPassword
    /// Ends all sessions and starts a new one: `validSince`.
    case revokeTokens
    /// Lists the sessions.
    case listSessions
    /// Ends the session of the ID token.
    case endOwnSession
    /// Ends another session.
    case endSession
    /// Deletes the account.
    case deleteAccount
    /// Sends a code to a new second factor, or creates the secret of one.
    case startSecondFactorEnrollment
    /// Adds a second factor.
    case finishSecondFactorEnrollment
    /// Removes a second factor.
    case withdrawSecondFactor
    /// Replaces the recovery codes.
    case generateRecoveryCodes
    /// Issues an authorization code, with which an app takes over the session.
    case issueAuthorizationCode
    /// Issues a session cookie. Only administrators can; their server vouches for the request.
    case createSessionCookie

    /// The required freshness of a sign-in.
    public enum Freshness: Sendable {
        /// A sign-in of any age.
        case any
        /// At most ``Policy/recentSignIn`` ago.
        case recent
        /// Like ``recent``, with two exceptions. Projects may relax it (``Project/linkingNeedsRecentSignIn``).
        /// Anonymous users, who cannot sign in again, may link at any time until their account has a sign-in method.
        case recentToLink
        /// Like ``recent``, but at the start of the enrollment. So a user who needs a while to set up their
        /// authenticator app does not have to sign in twice.
        case recentAtStart
    }

    /// The freshness of the sign-in that this operation requires.
    public var freshness: Freshness {
        switch self {
        case .lookUp, .changeProfile, .reauthenticate, .listSessions, .endOwnSession, .createSessionCookie: .any
        case .linkPhoneNumber, .linkPassword: .recentToLink
        case .finishSecondFactorEnrollment: .recentAtStart
        case .changePhoneNumber, .unlinkPhoneNumber, .changeEmail, .changePassword, .unlinkPassword, .revokeTokens,
            .endSession, .deleteAccount, .startSecondFactorEnrollment, .withdrawSecondFactor, .generateRecoveryCodes,
            .issueAuthorizationCode:
            .recent
        }
    }
}
