public import Encodings

/// What a request reveals about its client, for blocking hooks.
public struct ClientDescription: Sendable, Confidential {
    /// The client's network address in text form.
    public var networkAddress: String
    /// The header field `User-Agent`.
    public var userAgent: String
    /// The user's languages, as named by the client.
    public var locale: String

    /// Creates a description; empty strings mean unknown.
    public init(networkAddress: String = "", userAgent: String = "", locale: String = "") {
        self.networkAddress = networkAddress
        self.userAgent = userAgent
        self.locale = locale
    }
}
