public import OutgoingHTTP

/// How gateways are spoken to, and for how long.
public struct GatewayHTTPConfiguration: Sendable {
    /// How long one message may take, from asking for a connection to the last byte of the answer.
    public var deadline: Duration = .seconds(10)
    /// How long a connection may take to be made, its TLS handshake included.
    public var connectDeadline: Duration = .seconds(4)
    /// How many connections a host may have; further messages wait for one within their deadline.
    public var maximumConnectionsPerHost = 16
    /// How long a connection without work is kept. Short, because a server that closes one just as a message goes out leaves it
    /// uncertain whether it was sent.
    public var maximumIdleTime: Duration = .seconds(15)
    /// Who must have signed the servers' certificates.
    public var trustRoots = TrustRoots.system
    /// Through which proxy gateways with an `https` URL are reached; nil for none.
    public var proxy: HTTPProxy?

    /// What suits Twilio and Vonage.
    public init() {}
}
