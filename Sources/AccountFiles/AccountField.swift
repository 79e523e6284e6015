/// The members of an account in a file, in both formats. When you add a member, extend the reader and the writer.
enum AccountField: String {
    case localId, phoneNumber, email, emailVerified, displayName, photoUrl, customAttributes, disabled
    /// Milliseconds since the Unix epoch.
    case createdAt, passwordUpdatedAt
    /// The time of the last sign-in, in Dialtone's format and in Firebase's; milliseconds since the Unix epoch.
    case lastLoginAt, lastSignedInAt
    /// Seconds since the Unix epoch.
    case validSince
    /// In Firebase's format: Base64. In Dialtone's: the stored text, which begins with `$`.
    case passwordHash, salt
    /// Identities at other providers, which Dialtone does not support for sign-in.
    case providerUserInfo
    /// Second factors; see ``SecondFactorField``.
    case mfaInfo
}
