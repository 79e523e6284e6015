/// What the audit log tells of. The raw values stand in the log, and the scripts write them.
public enum AuditEventKind: String, Sendable, CaseIterable {
    /// An account was made by its user's first sign-in.
    case signUp = "sign-up"
    /// An account was made by an operator.
    case accountCreated = "account-created"
    /// A user signed in.
    case signIn = "sign-in"
    /// An account got a number or an e-mail address, and had none.
    case link
    /// An account gave its number or its e-mail address up.
    case unlink
    /// An account got another number.
    case numberChange = "number-change"
    /// An account got another e-mail address.
    case emailChange = "email-change"
    /// A password was set or removed.
    case passwordChange = "password-change"
    /// An account got a second factor.
    case secondFactorEnrolled = "second-factor-enrolled"
    /// An account gave a second factor up.
    case secondFactorWithdrawn = "second-factor-withdrawn"
    /// An account got new recovery codes, in place of all it had.
    case recoveryCodesMade = "recovery-codes-made"
    /// A recovery code was used in place of a second factor.
    case recoveryCodeUsed = "recovery-code-used"
    /// All tokens issued before ended.
    case tokensRevoked = "tokens-revoked"
    /// A refresh token came back in an earlier generation: somebody copied it, and it ended for all its holders.
    case tokenReused = "token-reused"
    /// One session of an account ended, by its user or an operator.
    case sessionEnded = "session-ended"
    /// Somebody signed in with a number that the account last proved too long ago.
    case recycledNumber = "recycled-number"
    /// An operator changed what has no kind of its own.
    case adminChange = "admin-change"
    /// An account may no longer sign in.
    case accountDisabled = "account-disabled"
    /// An account may sign in again.
    case accountEnabled = "account-enabled"
    /// An account was deleted.
    case accountDeleted = "account-deleted"
}
