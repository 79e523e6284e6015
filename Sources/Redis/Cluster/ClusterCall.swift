internal import Encodings
import Metrics

/// Commands that one node of a cluster must receive one after another, and their outcome.
struct ClusterCall {
    /// The target of the commands.
    enum Target {
        /// The master of the slot; any node if the slot is nil.
        case slot(Slot?)
        /// One node. Redirections are not followed.
        case node(Endpoint)
    }

    /// The maximum number of redirections of the commands, one after another.
    private static let maxRedirections = 5

    let commands: [Command]
    let target: Target
    /// The replies, or the error; nil while commands must still be sent.
    private(set) var outcome: Result<[Reply], RedisError>?
    /// The node that must get the commands: another node has redirected them to it, or it has executed the first ones.
    private(set) var redirectedTo: Endpoint?
    /// The replies to the first commands, if the node does not know the script of a later one. These commands are not
    /// resent, because their second replies could differ.
    private var executed: [Reply] = []
    /// Whether the redirection is for these commands only, so that they need `ASKING`.
    private var isAsking = false
    /// The node that has replied to the commands.
    private(set) var answeredBy: Endpoint?
    /// Whether the node does not know the scripts.
    private var loadsScripts = false
    private var redirections = 0
    /// Why the same commands may succeed a moment later; nil if waiting is pointless.
    private(set) var reasonToWait: String?

    init(_ commands: [Command], _ target: Target? = nil) {
        self.commands = commands
        self.target = target ?? .slot(commands.lazy.compactMap(\.slot).first)
    }

    /// Whether the commands were executed and have replies.
    var isAnswered: Bool {
        guard case .success(let replies) = outcome else { return false }
        return replies.first?.meansNotExecuted != true
    }

    /// Whether it is certain that the commands were not executed.
    var isRefused: Bool {
        switch outcome {
        case .success(let replies): replies.first?.meansNotExecuted == true
        case .failure(let error): error.isUnavailable
        case nil: false
        }
    }

    /// Resets a call that failed, so that it is sent again.
    mutating func reset() {
        if !isAnswered { self = ClusterCall(commands, target) }
    }

    /// Ends the call with an error.
    mutating func fail(_ error: RedisError) {
        outcome = .failure(executed.isEmpty ? error : error.afterWrites)
    }

    /// The commands to send to the node, including those that must precede the call's own commands.
    var wireCommands: [(command: Command, isOwn: Bool)] {
        var list: [(command: Command, isOwn: Bool)] = []
        let open = commands.dropFirst(executed.count)
        if loadsScripts {
            var digests: Set<String> = []
            for script in open.compactMap(\.script) where digests.insert(script.digest).inserted {
                list.append((script.loading, false))
            }
        }
        for command in open {
            if isAsking, command.slot != nil { list.append((Command("ASKING"), false)) }
            list.append((command, true))
        }
        return list
    }

    /// Takes the replies to ``wireCommands``. If they are not final, the commands must be sent again.
    mutating func take(_ all: [Reply], from node: Endpoint, _ cluster: Cluster) {
        reasonToWait = nil
        let wire = wireCommands
        var replies = executed + zip(all, wire).filter(\.1.isOwn).map(\.0)
        // If only a later command is redirected, the first one has been executed, and must not be executed elsewhere.
        if case .slot = target, let redirection = replies.first.flatMap({ Redirection($0, from: node) }) {
            return follow(redirection, cluster, replies)
        }
        if let unknown = replies.firstIndex(where: \.isUnknownScript) {
            guard loadsScripts else {
                loadsScripts = true
                executed = Array(replies.prefix(unknown))
                // Another node could not confirm what this node has executed.
                if !executed.isEmpty { redirectedTo = node }
                return
            }
            // The reply to the load contains the reason.
            let failedLoad = zip(all, wire).first { reply, command in
                if case .error = reply { !command.isOwn } else { false }
            }
            if let failedLoad { replies[unknown] = failedLoad.0 }
        }
        if replies.contains(where: \.meansClusterDown) { cluster.requestMap() }
        answeredBy = node
        outcome = .success(replies)
    }

    private mutating func follow(_ redirection: Redirection, _ cluster: Cluster, _ replies: [Reply]) {
        redirectedTo = nil
        isAsking = false
        loadsScripts = false
        switch redirection {
        case .moved(let slot, let endpoint):
            MetricFamily.redisRedirections.count("moved")
            redirectedTo = endpoint
            cluster.moved(slot, to: endpoint)
            // Without the new node's address, only a new map can help. Waits are bounded by time.
            if endpoint == nil {
                reasonToWait = "MOVED: the new node of the keys is not known yet"
            } else if redirections > 0 {
                reasonToWait = "MOVED: the nodes of the cluster disagree about the keys"
            } else {
                redirections += 1
            }
        case .ask(let endpoint):
            MetricFamily.redisRedirections.count("ask")
            redirections += 1
            redirectedTo = endpoint
            isAsking = true
        case .tryAgain:
            MetricFamily.redisRedirections.count("try-again")
            // Each attempt to reach keys that have been moved begins with a redirection. The wait is bounded by time.
            redirections = 0
            reasonToWait = "TRYAGAIN: the keys are being moved to another node of the cluster"
        case .notMaster:
            MetricFamily.redisRedirections.count("read-only")
            cluster.requestMap()
            reasonToWait = "READONLY: the new master of the keys is not known yet"
        }
        if redirections > Self.maxRedirections {
            cluster.requestMap()
            fail(.unavailable("the nodes of the cluster redirect a command too many times"))
        }
    }

    /// Stops waiting: the call was not executed in time.
    mutating func giveUp() {
        if let reasonToWait { fail(.unavailable(reasonToWait)) }
    }
}

extension Reply {
    /// Whether the node did not execute the command because a slot has no master that the node can reach.
    fileprivate var meansClusterDown: Bool {
        guard case .error(let error) = self else { return false }
        return error.code == "CLUSTERDOWN"
    }

    /// Whether the node did not execute the command because the node or the cluster cannot serve now.
    fileprivate var meansNotExecuted: Bool {
        guard case .error(let error) = self else { return false }
        return RedisError(error).isUnavailable
    }
}

/// Calls that are sent to a cluster together. A second try sends only the calls that failed.
final class ClusterExchange {
    var calls: [ClusterCall]
    /// Whether nothing is sent if one of the nodes cannot be reached.
    let requiresAllNodes: Bool

    init(_ calls: [ClusterCall], requiresAllNodes: Bool = true) {
        self.calls = calls
        self.requiresAllNodes = requiresAllNodes
    }

    /// Whether the calls without replies may be resent although they may have been executed.
    var isRepeatable: Bool {
        // The commands after a call's first one only confirm it, and may be repeated.
        calls.allSatisfy { $0.isAnswered || $0.isRefused || $0.commands.first?.isRepeatable != false }
    }

    /// Whether a script has been executed.
    var hasCalledScript: Bool { calls.contains { $0.isAnswered && $0.commands.contains { $0.script != nil } } }

    /// Resets the calls that failed, so that they are sent again.
    func reset() {
        for index in calls.indices { calls[index].reset() }
    }

    /// The replies of all calls.
    /// - Throws: the first error that leaves open whether a call was executed; otherwise, the first error.
    func replies() throws(RedisError) -> [[Reply]] {
        var replies: [[Reply]] = []
        var failure: RedisError?
        for call in calls {
            switch call.outcome {
            case .success(let list): replies.append(list)
            case .failure(let error):
                if failure == nil || error.isReplyLost && failure?.isReplyLost == false { failure = error }
            case nil: break
            }
        }
        if let failure { throw failure }
        return replies
    }
}

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
