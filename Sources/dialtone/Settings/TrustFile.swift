import OutgoingHTTP

/// A setting that names a PEM file of certificates to trust instead of the system's certificate authorities.
struct TrustFile {
    let setting: String
    let path: String?

    init(_ setting: PartialKeyPath<DeploymentValues>, _ path: String?) {
        self.setting = DeploymentValues.name(of: setting)
        self.path = path
    }

    /// Reads the file.
    /// - Throws: ``Failure`` that names the setting and the file.
    func read() throws(Failure) -> TrustRoots {
        guard let path else { return .system }
        do {
            return .certificates(pem: String(decoding: try readFile(path), as: UTF8.self))
        } catch {
            throw Failure("\(setting): \(error)")
        }
    }

    /// The failure if the file contains no certificates.
    var isNotPEM: Failure { Failure("\(setting): \((path ?? "").debugDescription) is not a PEM file of certificates") }
}
