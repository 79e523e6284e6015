internal import AsyncHTTPClient
internal import Encodings
internal import NIOCore
internal import NIOHTTP1

/// A request to a gateway. It holds credentials, a number and a text.
struct GatewayRequest: Sendable, Confidential {
    let url: String
    let contentType: String
    let body: [UInt8]
    /// Header fields besides those of the content.
    var headers: [(name: String, value: String)] = []
    /// Name and password for basic authentication (RFC 7617).
    var basicAuthentication: (name: String, password: GatewaySecret)?

    func http(_ body: ObservedBody) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: contentType)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Dialtone")
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if let (name, password) = basicAuthentication {
            request.setBasicAuth(username: name, password: password.text)
        }
        request.body = .stream(body, length: .known(Int64(body.bytes.readableBytes)))
        return request
    }
}
