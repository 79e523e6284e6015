/// The members of an account that are read, in files and in `accounts:batchCreate`. When you add a member, extend the
/// reader and the writer.
enum AccountField: String {
    case localId, phoneNumber, email, emailVerified, displayName, photoUrl, customAttributes, disabled
    /// Milliseconds since the Unix epoch.
    case createdAt, passwordUpdatedAt
    /// The time of the last sign-in, in the protocol and in the CLI's files; milliseconds since the Unix epoch.
    case lastLoginAt, lastSignedInAt
    /// Seconds since the Unix epoch.
    case validSince
    /// Base64; text that begins with `$`, which names its algorithm; or an emulator's password.
    case passwordHash, salt
    /// A password in plain text.
    case rawPassword
    /// Identities at other providers, which Dialtone does not support for sign-in.
    case providerUserInfo
    /// Second factors; see ``SecondFactorField``.
    case mfaInfo
    /// Second factors in `accounts:update`. Here it is the wrong field, and must not be ignored.
    case mfa
}
