/// The production hosts whose names SDKs in emulator mode prepend to a path.
enum ProductionHost: String, Sendable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
    case www = "www.googleapis.com"

    /// Returns a path on this host, as SDKs in emulator mode write it.
    func path(_ path: String) -> String { "/\(rawValue)\(path)" }
}
