/// One request as the stand-in got it.
public struct ReceivedPush: Sendable {
    /// `POST`, if all is well.
    public let method: String
    /// Path and query.
    public let path: String
    /// All header fields in their order, names in lower case, HTTP/2's own left out.
    public let headers: [(name: String, value: String)]
    /// The whole body.
    public let body: [UInt8]
    /// The connection that it came on; the server's first is 1.
    public let connection: Int
    /// When its last byte was there.
    public let time: ContinuousClock.Instant
    /// The subject of the client's certificate, such as `CN=com.example.app`; nil where the client showed none.
    public let clientSubject: String?

    /// The last part of the path: the device token.
    public var deviceToken: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first field of this name.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
