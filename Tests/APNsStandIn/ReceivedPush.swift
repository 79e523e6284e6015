/// A received request.
public struct ReceivedPush: Sendable {
    /// The method: `POST` if the client is correct.
    public let method: String
    /// Path and query.
    public let path: String
    /// The header fields, in order, with lowercase names and without HTTP/2 pseudo-header fields.
    public let headers: [(name: String, value: String)]
    /// The whole body.
    public let body: [UInt8]
    /// The number of the connection, from 1.
    public let connection: Int
    /// The time at which the last byte arrived.
    public let time: ContinuousClock.Instant
    /// The subject of the client's certificate, such as `CN=com.example.app`; nil if the client sent none.
    public let clientSubject: String?

    /// The last part of the path: the device token.
    public var deviceToken: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the value of the first field with this name.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
