public import Encodings

/// Where a gateway listens, or where it is to send its receipts. Printed it shows no more than scheme and host: operators put tokens behind them.
public struct GatewayURL: Hashable, Sendable, Confidential {
    /// The whole URL.
    public let text: String

    /// Twilio's own server.
    public static let twilio = GatewayURL(known: "https://api.twilio.com")
    /// Vonage's own server.
    public static let vonage = GatewayURL(known: "https://rest.nexmo.com")

    private init(known text: String) {
        self.text = text
    }

    /// Takes a URL with the scheme `https`, without user information or fragment.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public init(_ text: String) throws(GatewayConfigurationError) {
        try self.init(text, isPlainAllowed: false)
    }

    /// Takes a URL as ``init(_:)`` does, and also one with `http` whose host is a loopback address: what goes there stays on the machine.
    ///
    /// A name is no address, not even `localhost`: what it stands for is decided elsewhere.
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

    /// This URL with a path behind its own.
    func appending(path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
    }

    /// This URL with a field more in its query.
    func appending(field name: String, _ value: String) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(name)=\(PercentEncoding.encode(value))"
    }
}
