public import OutgoingHTTP

/// The timeouts, connection limits and trust roots for requests to gateways.
public struct GatewayHTTPConfiguration: Sendable {
    /// The deadline for one message, from waiting for a connection to the last byte of the response.
    public var deadline: Duration = .seconds(10)
    /// The connect timeout, including the TLS handshake.
    public var connectDeadline: Duration = .seconds(4)
    /// The maximum number of connections per host; further messages wait for a connection within their deadline.
    public var maximumConnectionsPerHost = 16
    /// How long an idle connection is kept. It is short: if a server closes an idle connection just as a message is
    /// sent, it is uncertain whether the server received the message.
    public var maximumIdleTime: Duration = .seconds(15)
    /// The certificate authorities trusted for server certificates.
    public var trustRoots = TrustRoots.system
    /// The proxy for gateways with an `https` URL; nil for none.
    public var proxy: HTTPProxy?

    /// Creates a configuration with defaults for Twilio and Vonage.
    public init() {}
}
