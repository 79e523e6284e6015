public import Encodings

/// Who calls, as far as the request tells. Blocking hooks are told so.
public struct ClientDescription: Sendable, Confidential {
    /// The client's network address in text form.
    public var networkAddress: String
    /// What the app calls itself: the header field `User-Agent`.
    public var userAgent: String
    /// The languages that the user reads, as the client names them.
    public var locale: String

    /// What is known of a client; empty where nothing is.
    public init(networkAddress: String = "", userAgent: String = "", locale: String = "") {
        self.networkAddress = networkAddress
        self.userAgent = userAgent
        self.locale = locale
    }
}
