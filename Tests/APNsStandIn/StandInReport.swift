internal import Encodings

/// A report of the stand-in process on one of its servers.
package enum StandInReport: Sendable {
    /// A client has connected, and completed the TLS handshake if there is one.
    case connection
    /// The head of an HTTP/1.1 request has arrived; `atOnce` requests are in progress at the server.
    case head(request: Int, atOnce: Int)
    /// All of a request has arrived.
    case request(Int, ReceivedPush)
}

extension StandInReport {
    init?(_ message: JSONObject) {
        guard let request = message.integer("request") else {
            self = .connection
            return
        }
        if let atOnce = message.integer("atOnce") {
            self = .head(request: request, atOnce: atOnce)
        } else if let push = ReceivedPush(message) {
            self = .request(request, push)
        } else {
            return nil
        }
    }
}

extension ReceivedPush {
    fileprivate init?(_ message: JSONObject) {
        guard case .string(let method) = message["method"], case .string(let path) = message["path"],
            case .array(let fields) = message["headers"], case .string(let text) = message["body"],
            let body = Base64.decode(eitherAlphabet: text.utf8), let connection = message.integer("connection"),
            let time = message.integer("time")
        else { return nil }
        let headers = fields.compactMap { field -> (name: String, value: String)? in
            guard case .array(let parts) = field, case .string(let name) = parts.first,
                case .string(let value) = parts.last
            else { return nil }
            return (name, value)
        }
        var subject: String?
        if case .string(let name) = message["subject"] { subject = name }
        self.init(
            method: method,
            path: path,
            headers: headers,
            body: body,
            connection: connection,
            time: ContinuousClock().systemEpoch + .nanoseconds(time),
            clientSubject: subject
        )
    }
}
