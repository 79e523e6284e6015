internal import APNsStandIn
public import Encodings

/// A received request.
public struct ReceivedRequest: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path and query.
    public let path: String
    /// The header fields, in order.
    public let headers: [(name: String, value: String)]
    /// The whole body.
    public let body: [UInt8]
    /// The number of the connection, from 1.
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

    /// The body as a form with unique names.
    public var form: [String: String] {
        Dictionary((FormFields(body)?.fields ?? []).map { ($0.name, $0.value) }) { $1 }
    }

    /// The body as a JSON object.
    public var object: JSONObject {
        guard case .object(let object)? = try? JSONValue.parse(body) else { return JSONObject() }
        return object
    }

    /// Returns the value of the first field with this name, given in lowercase.
    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
}
