internal import Foundation

/// The URL of a Dialtone server: scheme, host and port.
struct ServerURL: Sendable, Equatable {
    private let components: URLComponents

    /// Parses `https://host[:port]`. Plain HTTP is accepted for this machine only, because requests contain tokens.
    init?(_ url: URL) {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(), let host = components.host, !host.isEmpty,
            ["", "/"].contains(components.path), components.user == nil, components.password == nil,
            components.query == nil, components.fragment == nil, (1...65_535).contains(components.port ?? 443)
        else { return nil }
        guard scheme == "https" || (scheme == "http" && Self.isLoopback(host)) else { return nil }
        components.path = ""
        components.scheme = scheme
        self.components = components
    }

    /// Creates the URL of an emulator; returns nil if the host or the port is invalid.
    init?(emulatorHost host: String, port: Int) {
        guard !host.isEmpty, (1...65_535).contains(port) else { return nil }
        // An IPv6 address has at least two colons, and is bracketed in a URL.
        let isAddress = host.contains(":") && !host.hasPrefix("[")
        guard !isAddress || host.count(where: { $0 == ":" }) >= 2 else { return nil }
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]"
        guard host.lowercased().allSatisfy(allowed.contains),
            let parsed = URLComponents(string: "http://\(isAddress ? "[\(host)]" : host):\(port)"),
            parsed.port == port, parsed.host?.isEmpty == false, parsed.path.isEmpty, parsed.url != nil
        else { return nil }
        components = parsed
    }

    /// `https://host[:port]`
    var text: String { components.string ?? "" }

    /// Returns the URL of a path, which starts with `/`; nil if it is not valid in a URL.
    func url(path: String, query: [(name: String, value: String)] = []) -> URL? {
        var components = components
        components.path = path
        if !query.isEmpty { components.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) } }
        // Servers read `+` in a query as a space.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return components.url
    }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
