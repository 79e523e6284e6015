/// The reason why a command has no result. No case contains a key, an argument or a secret.
public enum RedisError: Error, Sendable, Equatable {
    /// The server cannot be reached or cannot serve now. The command was not executed.
    case unavailable(String)
    /// The connection ended before the reply arrived. Whether the command was executed is unknown.
    case connectionLost(String)
    /// The reply did not arrive in time, or the deadline had passed before. Whether the command was executed is
    /// unknown.
    case timedOut
    /// The server rejected the user, or denied the command to the user. The command was not executed.
    case refused(String)
    /// The command was executed, but fewer replicas than required confirmed its writes in time.
    case notReplicated(replicas: Int, of: Int)
    /// The server's memory is full. The command was not executed.
    case outOfMemory
    /// The server reported an error in the command or the script.
    case server(ServerError)
    /// The server sent something that does not follow the Redis protocol, or cannot be the reply to this command.
    case protocolViolation(String)

    /// Classifies an error reply by what a caller can do about it.
    public init(_ error: ServerError) {
        if error.meansOtherServer {
            self = .unavailable(error.description)
            return
        }
        switch error.code {
        // Connections to a cluster follow these redirections.
        case "MOVED", "ASK":
            self = .unavailable("\(error.code): it is a node of a Redis Cluster, whose address is redis+cluster://")
        case "BUSY", "CLUSTERDOWN", "TRYAGAIN", "MISCONF", "NOREPLICAS":
            self = .unavailable(error.description)
        case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED": self = .refused(error.description)
        case "OOM": self = .outOfMemory
        case "ERR" where error.message.hasPrefix("max number of clients"): self = .unavailable(error.description)
        default: self = .server(error)
        }
    }
}

extension RedisError {
    /// Whether the command may have been executed although no reply arrived.
    var isReplyLost: Bool {
        switch self {
        case .connectionLost, .timedOut: true
        default: false
        }
    }

    /// Whether it is certain that the command was not executed.
    public var isUnexecuted: Bool {
        switch self {
        case .unavailable, .refused, .outOfMemory: true
        case .connectionLost, .timedOut, .notReplicated, .server, .protocolViolation: false
        }
    }

    /// The error of a step that follows executed writes: it must not mean that they were not executed.
    var afterWrites: RedisError {
        if case .unavailable(let reason) = self { .connectionLost(reason) } else { self }
    }

    /// Whether the command was not executed, and may succeed once the server is available again.
    var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }
}

extension RedisError: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .unavailable(let reason): "Redis is unavailable: \(reason)"
        case .connectionLost(let reason): "the connection to Redis was lost: \(reason)"
        case .timedOut: "Redis did not respond in time"
        case .refused(let reason): "Redis refused: \(reason)"
        case .notReplicated(let replicas, let asked):
            "Redis has the change, but \(replicas) of \(asked) replicas confirmed it in time"
        case .outOfMemory: "Redis is out of memory"
        case .server(let error): "Redis reports: \(error)"
        case .protocolViolation(let reason): "Redis violated the protocol: \(reason)"
        }
    }
}

/// An error reply of the server.
///
/// Redis often quotes its input. So text between quotation marks is removed, and no key, argument or password reaches
/// logs this way.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first word, such as `ERR`, `WRONGTYPE` or a word from a script.
    public let code: String
    /// The rest, as one line of limited length.
    public let message: String

    /// The code and the message.
    public var description: String { message.isEmpty ? code : "\(code) \(message)" }

    private static let maxMessageLength = 200
    private static let quotationMarks: Set<Character> = ["'", "`", "\"", "‘", "’"]

    /// Parses an error as a server sends it.
    ///
    /// - Parameter line: the reply without its leading `-`.
    public init(line: String) {
        var text = Self.innerError(line[...])
        while text.last == " " { text.removeLast() }
        let parts = text.split(separator: " ", maxSplits: 1)
        code = parts.first.map(String.init) ?? "ERR"
        message = parts.count > 1 ? Self.withoutQuotations(parts[1]) : ""
    }

    /// Whether the server did not execute the command because it is a replica or has not loaded its data.
    var meansOtherServer: Bool { ["READONLY", "MASTERDOWN", "LOADING"].contains(code) }

    /// Returns the error of the command in a script that Redis 6.2 wraps, and any other error unchanged.
    ///
    /// Redis 6.2 wraps `-OOM …`, for example, as `ERR Error running script (call to f_…): @user_script:1: @user_script:
    /// 1: -OOM …`. Only errors that it finds before it executes the command keep their hyphen: `READONLY`, `MISCONF`,
    /// `NOREPLICAS` and `OOM`. They concern the script's first write, so the script has written nothing.
    private static func innerError(_ line: Substring) -> Substring {
        guard line.hasPrefix("ERR Error running script"), let start = line.firstRange(of: ": -")?.upperBound else {
            return line
        }
        let error = line[start...]
        let code = String(error.prefix { $0 != " " })
        return ["READONLY", "MISCONF", "NOREPLICAS", "OOM"].contains(code) ? error : line
    }

    private static func withoutQuotations(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: quotationMarks.contains),
            let last = text.lastIndex(where: quotationMarks.contains), first < last
        else { return String(text.prefix(maxMessageLength)) }
        return String((text[...first] + "…" + text[last...]).prefix(maxMessageLength))
    }
}
