/// What the settings say of an app's APNs credential. Workers know whether there is one; only the dispatcher reads its files.
enum APNsCredentialSetting: Equatable {
    /// A token signing key (`.p8`), the same for all apps of a team.
    case tokenKey(file: String, keyID: String, teamID: String)
    /// A TLS client certificate with its key, PEM, of one app.
    case certificate(file: String)
}

/// How Apple's push service is reached.
struct APNsSettings: Equatable {
    /// The addresses of the two environments; nil for Apple's own.
    let productionURL: String?
    let sandboxURL: String?
    /// PEM file of the certificates to trust instead of the system's.
    let trustFile: String?
}

extension SettingsReader {
    func apns() throws(Failure) -> APNsSettings {
        for key in ["apns.productionUrl", "apns.sandboxUrl"] {
            guard let text = source.text(key) else { continue }
            guard text.hasPrefix("https://") else { throw wrong(key, "an address that begins with https://") }
        }
        return APNsSettings(
            productionURL: source.text("apns.productionUrl"),
            sandboxURL: source.text("apns.sandboxUrl"),
            trustFile: source.text("apns.trustFile")
        )
    }

    /// nil where the app has none.
    func apnsCredential(of app: String, in project: String) throws(Failure) -> APNsCredentialSetting? {
        let prefix = "project.\(project).app.\(app).apns"
        let keyFile = source.text(prefix + "KeyFile")
        let certificateFile = source.text(prefix + "CertificateFile")
        guard keyFile == nil || certificateFile == nil else {
            throw wrong(prefix + "CertificateFile", "nothing where there is a key file: one of the two")
        }
        if let certificateFile { return .certificate(file: certificateFile) }
        guard let keyFile else { return nil }
        return .tokenKey(
            file: keyFile,
            keyID: try identifier(prefix + "KeyId"),
            teamID: try identifier(prefix + "TeamId")
        )
    }

    /// Apple's key and team ids.
    private func identifier(_ key: String) throws(Failure) -> String {
        let text = try required(key)
        guard text.utf8.count == 10, text.utf8.allSatisfy({ $0 < 128 && Character(UnicodeScalar($0)).isLetterOrDigit })
        else { throw wrong(key, "ten letters and digits") }
        return text
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
