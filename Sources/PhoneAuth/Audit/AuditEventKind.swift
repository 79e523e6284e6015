/// The kinds of audit events. The raw values are in the log; the scripts write them.
public enum AuditEventKind: String, Sendable, CaseIterable {
    /// A user's first sign-in created an account.
    case signUp = "sign-up"
    /// An operator created an account.
    case accountCreated = "account-created"
    /// A user signed in.
    case signIn = "sign-in"
    /// An account that had no number, or no e-mail address, got one.
    case link
    /// An account lost its number or its e-mail address.
    case unlink
    /// An account's number was replaced by another one.
    case numberChange = "number-change"
    /// An account's e-mail address was replaced by another one.
    case emailChange = "email-change"
    /// A password was set or removed.
    case passwordChange = "password-change"
    /// A second factor was enrolled.
    case secondFactorEnrolled = "second-factor-enrolled"
    /// A second factor was removed.
    case secondFactorWithdrawn = "second-factor-withdrawn"
    /// New recovery codes replaced all existing ones.
    case recoveryCodesMade = "recovery-codes-made"
    /// A recovery code was used instead of a second factor.
    case recoveryCodeUsed = "recovery-code-used"
    /// All earlier tokens of an account were revoked.
    case tokensRevoked = "tokens-revoked"
    /// An earlier generation of a refresh token, or a used authorization code, was presented: it was copied, and its
    /// session ended for all holders.
    case tokenReused = "token-reused"
    /// One session of an account ended: by its user, by an operator, or by the server, because an authorization code
    /// was presented by a client other than the one it was issued to.
    case sessionEnded = "session-ended"
    /// A sign-in with a number that the account last proved too long ago, and that may have been recycled.
    case recycledNumber = "recycled-number"
    /// An operator changed something that is not about one account: the configuration, a test number, a token, a key,
    /// a limit.
    case operatorChange = "operator-change"
    /// An operator made a change to an account that has no kind of its own.
    case adminChange = "admin-change"
    /// An account was disabled.
    case accountDisabled = "account-disabled"
    /// An account was enabled again.
    case accountEnabled = "account-enabled"
    /// An account was deleted.
    case accountDeleted = "account-deleted"
}
