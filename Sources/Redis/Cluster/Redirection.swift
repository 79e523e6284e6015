internal import Encodings

/// The reason why a node of a cluster has not executed a command, and where to send it instead.
enum Redirection: Equatable {
    /// The slot has moved permanently to another master, which the map must contain from now on.
    case moved(Slot, to: Endpoint?)
    /// The slot is being moved, and the key is not on this node: only this command is sent to the other node.
    case ask(Endpoint)
    /// The slot is being moved, and the command's keys are not all on the same node yet.
    case tryAgain
    /// The node has become a replica.
    case notMaster

    /// Parses the redirection in a node's reply; nil if the reply is not a redirection.
    init?(_ reply: Reply, from asked: Endpoint) {
        guard case .error(let error) = reply else { return nil }
        switch error.code {
        case "MOVED":
            guard let (slot, endpoint) = Self.target(error.message, asked) else { return nil }
            self = .moved(slot, to: endpoint)
        case "ASK":
            guard let endpoint = Self.target(error.message, asked)?.endpoint else { return nil }
            self = .ask(endpoint)
        case "TRYAGAIN": self = .tryAgain
        case "READONLY": self = .notMaster
        default: return nil
        }
    }

    /// Parses `3999 127.0.0.1:6381`. The host may be empty, unknown (`?`) or an IPv6 address without brackets.
    private static func target(_ message: String, _ asked: Endpoint) -> (slot: Slot, endpoint: Endpoint?)? {
        let parts = message.split(separator: " ")
        guard parts.count == 2, parts[0].isASCIIDigits, let slot = Int(parts[0]).flatMap({ Slot($0) }),
            let colon = parts[1].lastIndex(of: ":")
        else { return nil }
        let host = String(parts[1][..<colon])
        let port = String(parts[1][parts[1].index(after: colon)...])
        return (slot, host == "?" ? nil : Endpoint(host: host, port: port, from: asked))
    }
}
