/// The production hosts whose names SDKs in emulator mode put in front of a path.
enum ProductionHost: String, Sendable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
    case www = "www.googleapis.com"

    /// A path on this host, as such SDKs write it.
    func path(_ path: String) -> String { "/\(rawValue)\(path)" }

    /// The path behind this host's name; nil if the path does not start with it.
    func removed(from path: String) -> Substring? {
        guard path.hasPrefix("/\(rawValue)/") else { return nil }
        return path.dropFirst(1 + rawValue.utf8.count)
    }
}
