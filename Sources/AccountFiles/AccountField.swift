/// The members of an account in a file, in both formats. Whoever adds one gives it to the reader and to the writer.
enum AccountField: String {
    case localId, phoneNumber, email, emailVerified, displayName, photoUrl, customAttributes, disabled
    /// Milliseconds since the Unix epoch.
    case createdAt, passwordUpdatedAt
    /// The same time in our format and in Firebase's; milliseconds.
    case lastLoginAt, lastSignedInAt
    /// Seconds since the Unix epoch.
    case validSince
    /// In Firebase's format base 64; in ours a text that begins with `$`, as it is stored.
    case passwordHash, salt
    /// Identities of other providers, which Dialtone does not sign in with.
    case providerUserInfo
    /// Second factors, see ``SecondFactorField``.
    case mfaInfo
}
