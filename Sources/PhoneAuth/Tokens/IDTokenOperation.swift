/// An operation on the account of an ID token, with the sign-in that it demands.
///
/// An ID token is valid for an hour and travels to other servers, so it may be stolen. It must not be enough to take an
/// account over. Adding a way to sign in is as sensitive as replacing one, and so are second factors and new sessions.
///
/// ``Authenticator/authorize(_:for:in:)`` is the only source of an ``AuthenticatedUser`` and demands a case, so a new
/// operation cannot skip the decision. The table in <doc:Accounts> has a row for each case.
public enum IDTokenOperation: String, CaseIterable, Sendable {
    /// Reads the account.
    case lookUp
    /// Changes the display name or the photo.
    case changeProfile
    /// Proves the number of the account again. It changes nothing and starts a new session.
    case reauthenticate
    /// Gives the account its first number, or proves the number that it has.
    case linkPhoneNumber
    /// Replaces the number.
    case changePhoneNumber
    /// Removes the number.
    case unlinkPhoneNumber
    /// Gives the account its first e-mail address or its first password.
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
    /// Issues a session cookie. Only administrators can; their server vouches for the request.
    case createSessionCookie

    /// How recent a sign-in must be.
    public enum Freshness: Sendable {
        /// Any sign-in will do.
        case any
        /// At most ``Policy/recentSignIn`` ago.
        case recent
        /// As ``recent``, with two exceptions: projects may relax it (``Project/linkingNeedsRecentSignIn``), and
        /// anonymous users, who cannot sign in again, may link at any time until their account has a way to sign in.
        case recentToLink
        /// As ``recent`` when the enrolment started. So a user whose authenticator app takes a while need not sign in
        /// twice.
        case recentAtStart
    }

    /// How recent a sign-in this operation demands.
    public var freshness: Freshness {
        switch self {
        case .lookUp, .changeProfile, .reauthenticate, .listSessions, .endOwnSession, .createSessionCookie: .any
        case .linkPhoneNumber, .linkPassword: .recentToLink
        case .finishSecondFactorEnrollment: .recentAtStart
        case .changePhoneNumber, .unlinkPhoneNumber, .changeEmail, .changePassword, .unlinkPassword, .revokeTokens,
            .endSession, .deleteAccount, .startSecondFactorEnrollment, .withdrawSecondFactor, .generateRecoveryCodes:
            .recent
        }
    }
}
