internal import APNsStandIn
public import Encodings

/// One request as the stand-in got it.
public struct ReceivedRequest: Sendable {
    /// `POST` and the like.
    public let method: String
    /// With its query.
    public let path: String
    /// In their order.
    public let headers: [(name: String, value: String)]
    /// All of it.
    public let body: [UInt8]
    /// The connection that it came on; the server's first is 1.
    public let connection: Int

    init(_ push: ReceivedPush) {
        method = push.method
        path = push.path
        headers = push.headers
        body = push.body
        connection = push.connection
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body's form, each name once.
    public var form: [String: String] {
        Dictionary((FormFields(body)?.fields ?? []).map { ($0.name, $0.value) }) { $1 }
    }

    /// The body's members.
    public var object: JSONObject {
        guard case .object(let object)? = try? JSONValue.parse(body) else { return JSONObject() }
        return object
    }

    /// The value of the first field of this name, which is given in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}
