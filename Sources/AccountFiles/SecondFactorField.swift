/// The members of a second factor in a file, in both formats.
enum SecondFactorField: String {
    case mfaEnrollmentId, displayName
    /// The number in E.164 form. Firebase has the second one beside it, with the same number.
    case phoneInfo, unobfuscatedPhoneInfo
    /// In the form of RFC 3339.
    case enrolledAt
    /// An object: it has the member of ``TOTPField``.
    case totpInfo
}

/// The members of an authenticator app.
enum TOTPField: String {
    /// The secret, in base 32.
    case sharedSecretKey
}
