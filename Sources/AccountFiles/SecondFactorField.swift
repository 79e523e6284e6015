/// The members of a second factor in a file, in both formats.
enum SecondFactorField: String {
    case mfaEnrollmentId, displayName
    /// The number in E.164 form. Firebase also writes the second member, with the same number.
    case phoneInfo, unobfuscatedPhoneInfo
    /// A time in RFC 3339 form.
    case enrolledAt
    /// An object with the member of ``TOTPField``.
    case totpInfo
}

/// The members of an authenticator app.
enum TOTPField: String {
    /// The secret in Base32.
    case sharedSecretKey
}
