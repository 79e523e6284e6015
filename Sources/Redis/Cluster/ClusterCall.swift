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
