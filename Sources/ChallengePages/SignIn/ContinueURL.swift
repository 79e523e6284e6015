internal import Encodings

/// Where users go on once they are signed in: a URL of an authorized domain, so that the page is not an open redirect.
public struct ContinueURL: Sendable, Hashable {
    /// The URL.
    public let text: String

    /// Checks a URL; nil if it is malformed, is not https, or leads to a domain that is not authorized.
    ///
    /// - Parameters:
    ///   - text: the URL. Plain http is accepted for a loopback address.
    ///   - domains: the project's authorized domains, and in development mode the page's own host. The port is included
    ///     if it is not the scheme's.
    ///   - allowsLoopback: whether any loopback address is authorized, in development mode.
    public init?(_ text: String, domains: some Collection<String>, allowsLoopback: Bool = false) {
        guard let url = try? ServiceURL(text, allowsPlainLoopback: true) else { return nil }
        // Without credentials, paths that some parsers read as a part of the host, or anything to normalize.
        let authority = String(url.description.drop { $0 != "/" }.dropFirst(2))
        let isLoopback = text.hasPrefix("http://")
        // Authorized domains are in lower case; the page's own is as the browser sent it.
        let isAuthorized = domains.contains(authority) || domains.contains(authority.lowercased())
        guard isAuthorized || isLoopback && allowsLoopback else { return nil }
        self.text = url.text
    }
}
