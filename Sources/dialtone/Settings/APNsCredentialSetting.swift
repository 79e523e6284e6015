/// The setting of an app's APNs credential. Only the dispatcher reads its files.
enum APNsCredentialSetting: Equatable {
    /// A token signing key (`.p8`), which serves all apps of a team.
    case tokenKey(file: String, keyID: String, teamID: String)
    /// A TLS client certificate with its key in PEM, which serves one app.
    case certificate(file: String)
}
