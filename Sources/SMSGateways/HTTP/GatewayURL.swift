public import Encodings

/// The URL of a gateway, or the URL to which a gateway sends receipts.
///
/// The description shows only scheme, host and port, because operators put tokens in paths and queries.
public struct GatewayURL: Hashable, Sendable, Confidential {
    /// The whole URL.
    public let text: String

    /// Twilio's production API.
    public static let twilio = GatewayURL(known: "https://api.twilio.com")
    /// Vonage's production API.
    public static let vonage = GatewayURL(known: "https://rest.nexmo.com")

    private init(known text: String) {
        self.text = text
    }

    /// Validates a URL with the scheme `https`, without user information or fragment.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public init(_ text: String) throws(GatewayConfigurationError) {
        try self.init(text, isPlainAllowed: false)
    }

    /// Validates a URL like ``init(_:)``, but also accepts `http` if the host is a loopback address, because that
    /// traffic stays on the machine.
    ///
    /// Host names are not accepted with `http`, not even `localhost`, because name resolution decides where they point.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public static func allowingLoopback(_ text: String) throws(GatewayConfigurationError) -> GatewayURL {
        try GatewayURL(text, isPlainAllowed: true)
    }

    private init(_ text: String, isPlainAllowed: Bool) throws(GatewayConfigurationError) {
        do {
            self.text = try ServiceURL(text, allowsPlainLoopback: isPlainAllowed).text
        } catch {
            switch error {
            case .malformed: throw .malformedURL
            case .notHTTPS: throw .notHTTPS
            }
        }
    }

    /// Scheme, host and port.
    public var description: String { ServiceURL.origin(of: text) }

    /// Returns the URL with a path appended to its own.
    func appending(path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
    }

    /// Returns the URL with a query parameter added.
    func appending(field name: String, _ value: String) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(name)=\(PercentEncoding.encode(value))"
    }
}
