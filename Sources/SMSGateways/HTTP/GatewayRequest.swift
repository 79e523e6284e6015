internal import Encodings
internal import OutgoingHTTP

/// A request to a gateway. It contains credentials, a phone number and a text.
struct GatewayRequest: Sendable, Confidential {
    let url: String
    let contentType: String
    let body: [UInt8]
    /// Header fields in addition to those that describe the content.
    var headers: [(name: String, value: String)] = []
    /// The credentials for Basic authentication (RFC 7617).
    var basicAuthentication: (name: String, password: GatewaySecret)?

    /// The HTTP request to send.
    var http: HTTPRequest {
        var fields: HTTPHeaderFields = [
            "Content-Type": contentType, "Accept": "application/json", "User-Agent": "Dialtone",
        ]
        for header in headers { fields.add(name: header.name, value: header.value) }
        if let (name, password) = basicAuthentication {
            fields.add(name: "Authorization", value: "Basic \(Base64.encode("\(name):\(password.text)".utf8))")
        }
        return HTTPRequest(postingTo: url, headers: fields, body: body)
    }
}
