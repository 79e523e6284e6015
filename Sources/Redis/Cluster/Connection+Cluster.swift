import Metrics
import Threads

/// A connection to the nodes of a cluster. Commands for several nodes are written to all of them before the first reply
/// is read, so that they take the time of one round trip.
extension Connection {
    /// Whether the servers are a Redis Cluster. In a cluster, the keys of a command must be in one slot.
    public var isCluster: Bool { cluster != nil }

    /// Returns the servers that have the keys, as far as this process knows.
    /// - Throws: ``RedisError``
    public func nodes(deadline: Instant? = nil) throws(RedisError) -> [ServerNode] {
        let map = try cluster?.currentMap(until: connectLimit(deadline))
        return NodeLayout(map: map, isChanging: false).nodes
    }

    /// Queries the servers that have the keys.
    /// - Throws: ``RedisError``
    public func layout(deadline: Instant? = nil) throws(RedisError) -> NodeLayout {
        guard let cluster else { return NodeLayout(map: nil, isChanging: false) }
        let map = try cluster.watch.newMap(configuration, until: limit(.seconds(5), deadline))
        var isChanging = false
        for master in map.masters {
            let list = try send(Command("CLUSTER", "NODES"), .node(master), cluster, deadline)
            isChanging = isChanging || NodeLayout.showsMoves(list.text ?? "")
        }
        return NodeLayout(map: map, isChanging: isChanging)
    }

    /// Waits until replicas have all earlier writes in the slots of these keys of a cluster, whichever connection made
    /// them.
    ///
    /// Each node gets a mark for each of its slots: see ``slotMark``. The marks are its last writes, so its replicas
    /// confirm the earlier ones with them. A mark that the node redirects is not executed elsewhere: the confirmation
    /// of another node would cover only the keys that have already been moved to it.
    ///
    /// - Returns: the keys whose writes are not confirmed, with the reasons.
    /// - Throws: ``RedisError`` if the nodes are not known.
    public func confirmWrites(
        inSlotsOf keys: some Collection<String>,
        deadline: Instant? = nil
    ) throws(RedisError) -> [String: RedisError] {
        guard let cluster, let slotMark, let confirmation = configuration.replicaConfirmation else { return [:] }
        let map = try cluster.currentMap(until: connectLimit(deadline))
        var failures: [String: RedisError] = [:]
        var groups: [(node: Endpoint, keys: [String])] = []
        for (node, keys) in Dictionary(grouping: keys, by: { map.owner(of: Slot(ofKey: $0.utf8)) }) {
            if let node {
                groups.append((node, keys))
            } else {
                cluster.watch.cluster.requestMap()
                for key in keys { failures[key] = .unavailable("no node of the cluster has a slot") }
            }
        }
        let calls = groups.map { ClusterCall($0.keys.map(slotMark) + [confirmation.command], .node($0.node)) }
        for ((node, keys), outcome) in zip(groups, outcomes(of: calls, cluster, deadline)) {
            do throws(RedisError) {
                let replies = try outcome.get()
                for (key, reply) in zip(keys, replies) { failures[key] = failure(ofMark: reply, on: node, cluster) }
                try confirmation.check(replies[keys.count])
                if isReplaced(node, cluster) { throw .notReplicated(replicas: 0, of: confirmation.replicas) }
            } catch {
                for key in keys where failures[key] == nil { failures[key] = error }
            }
        }
        return failures
    }

    /// Sends several commands, and waits until replicas have what they wrote: see
    /// ``pipeline(_:confirmingSlotsOf:blockingFor:if:deadline:)``. If a slot has another master afterwards, its writes
    /// are not confirmed: the new master need not have them.
    func pipeline(
        _ commands: [Command],
        confirmingSlotsOf keys: some Collection<String>,
        if hasWritten: (Reply) -> Bool,
        by confirmation: ReplicaConfirmation,
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) -> [Reply] {
        let before = try cluster.currentMap(until: connectLimit(deadline))
        let replies = try pipeline(commands, deadline: deadline)
        guard replies.contains(where: hasWritten) else { return replies }
        do throws(RedisError) {
            if let failure = try confirmWrites(inSlotsOf: keys, deadline: deadline).values.first { throw failure }
            let after = try cluster.currentMap(until: connectLimit(deadline))
            for slot in keys.map({ Slot(ofKey: $0.utf8) }) where after.owner(of: slot) != before.owner(of: slot) {
                throw .notReplicated(replicas: 0, of: confirmation.replicas)
            }
        } catch {
            throw error.afterWrites
        }
        return replies
    }

    private func failure(ofMark reply: Reply, on node: Endpoint, _ cluster: ClusterNodes) -> RedisError? {
        guard case .error(let error) = reply else { return nil }
        guard Redirection(reply, from: node) != nil else { return RedisError(error) }
        cluster.watch.cluster.requestMap()
        return .unavailable("a slot is being moved to another node of the cluster")
    }

    /// Whether this process knows that a node is no longer a master.
    private func isReplaced(_ node: Endpoint, _ cluster: ClusterNodes) -> Bool {
        cluster.watch.cluster.state.map?.masters.contains(node) == false
    }

    /// Sends a command without a key to one server, otherwise like ``send(_:deadline:)``.
    /// - Throws: ``RedisError``
    public func send(_ command: Command, to node: ServerNode, deadline: Instant? = nil) throws(RedisError) -> Reply {
        guard let cluster, let endpoint = node.endpoint else { return try send(command, deadline: deadline) }
        return try send(command, .node(endpoint), cluster, deadline)
    }

    /// Sends several commands at once and returns the outcome of each. Unlike in ``pipeline(_:deadline:)``, replies are
    /// not lost if another node of a cluster fails. No command is sent again after its reply was lost.
    public func outcomes(of commands: [Command], deadline: Instant? = nil) -> [Result<Reply, RedisError>] {
        if let cluster {
            return outcomes(of: commands.map { ClusterCall([$0]) }, cluster, deadline).map { $0.map { $0[0] } }
        }
        do throws(RedisError) {
            return try pipeline(commands, deadline: deadline).map { .success($0) }
        } catch {
            return commands.map { _ in .failure(error) }
        }
    }

    /// Sends a command without a key to each server that has keys, like ``outcomes(of:deadline:)``.
    ///
    /// - Throws: ``RedisError`` if the servers are not known.
    public func outcomes(
        ofAllServersTo command: Command,
        deadline: Instant? = nil
    ) throws(RedisError) -> [Result<Reply, RedisError>] {
        guard let cluster else { return outcomes(of: [command], deadline: deadline) }
        let masters = try cluster.currentMap(until: connectLimit(deadline)).masters
        let calls = masters.map { ClusterCall([command], .node($0)) }
        return outcomes(of: calls, cluster, deadline).map { $0.map { $0[0] } }
    }

    /// Sends calls, and returns the replies to the commands of each.
    private func outcomes(
        of calls: [ClusterCall],
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) -> [Result<[Reply], RedisError>] {
        let exchange = ClusterExchange(calls, requiresAllNodes: false)
        let first = calls.first?.commands.first
        do throws(RedisError) {
            try cluster.metrics(of: first).observing(first) { () throws(RedisError) in
                try run(exchange, cluster, deadline)
            }
        } catch {
            return calls.map { _ in .failure(error) }
        }
        if exchange.hasCalledScript { lastScript = deadline }
        return exchange.calls.map { $0.outcome ?? .failure(.timedOut) }
    }

    /// Sends a command. Sends it again if a second try is permitted.
    func send(
        _ command: Command,
        _ target: ClusterCall.Target?,
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        let exchange = ClusterExchange([ClusterCall([command], target)])
        return try twice(exchange, cluster, deadline) { () throws(RedisError) in
            exchange.reset()
            try run(exchange, cluster, deadline)
            return try exchange.replies()[0][0].get()
        }
    }

    /// Sends calls of one command each, and returns their replies in order. Sends failed calls again if a second try is
    /// permitted.
    func send(
        _ calls: [ClusterCall],
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) -> [Reply] {
        let exchange = ClusterExchange(calls)
        return try twice(exchange, cluster, deadline) { () throws(RedisError) in
            exchange.reset()
            try run(exchange, cluster, deadline)
            if exchange.hasCalledScript { lastScript = deadline }
            let replies = try exchange.replies().map { $0[0] }
            if hasLeftServer, replies.allSatisfy(\.meansOtherServer) {
                for reply in replies { _ = try reply.get() }
            }
            return replies
        }
    }

    /// Sends a script call, and waits until replicas of its node have what it wrote: see
    /// ``send(_:markedBy:confirmedBy:_:)``.
    ///
    /// A node that was paused or partitioned may be a former master that does not know this yet. What it writes then is
    /// lost. Its replicas follow the new master as soon as they learn of it; replicas that have not learned of it are
    /// partitioned as well. So such a write can be confirmed only if fewer replicas are required than the master has: a
    /// partitioned replica may confirm it until the partitioned master stops serving, after `cluster-node-timeout`. If
    /// this process already knows that the node has been replaced, the confirmation does not count. Asking the node
    /// itself would prove nothing, because it is the last to learn of its replacement.
    func run(
        _ command: Command,
        markedBy mark: Command?,
        always isAlwaysMarked: Bool,
        _ confirmation: ReplicaConfirmation,
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        let first = ClusterExchange([ClusterCall([command])])
        return try twice(first, cluster, deadline) { () throws(RedisError) in
            // A script that is not repeatable has not been executed before.
            let isMarked = isAlwaysMarked || isSecondTry && command.isRepeatable
            let marks = isMarked ? [mark].compactMap(\.self) : []
            let exchange = ClusterExchange([ClusterCall([command] + marks + [confirmation.command])])
            let mastersBefore = cluster.watch.cluster.state.map?.masters ?? []
            try run(exchange, cluster, deadline)
            let reply = try reply(in: exchange.replies()[0], confirmedBy: confirmation)
            if let node = exchange.calls[0].answeredBy, mastersBefore.contains(node), isReplaced(node, cluster) {
                throw .notReplicated(replicas: 0, of: confirmation.replicas)
            }
            return reply
        }
    }

    /// Sends calls, again if a second try is permitted, and counts the time.
    private func twice<Answer>(
        _ exchange: ClusterExchange,
        _ cluster: ClusterNodes,
        _ deadline: Instant?,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        let first = exchange.calls.first?.commands.first
        let metrics = cluster.metrics(of: first)
        return try metrics.observing(first) { () throws(RedisError) in
            do throws(RedisError) {
                return try sendTwice(
                    calling: exchange.calls.contains { $0.commands.contains { $0.script != nil } },
                    metrics,
                    deadline,
                    isRepeatable: { exchange.isRepeatable },
                    send
                )
            } catch {
                // Some of the commands may have been executed.
                throw exchange.calls.contains(where: \.isAnswered) ? error.afterWrites : error
            }
        }
    }

    private func connectLimit(_ deadline: Instant?) -> Instant {
        earlier(limit(configuration.connectTimeout, deadline), connectEnd)
    }

    // MARK: Round trips

    /// Sends the calls without an outcome until each has one, and follows redirections.
    /// - Throws: ``RedisError`` if nothing was sent.
    private func run(
        _ exchange: ClusterExchange,
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) {
        if let deadline, deadline <= .now { throw .timedOut }
        let waitEnd = commandEnd(deadline)
        var round = 0
        while true {
            let open = exchange.calls.indices.filter { exchange.calls[$0].outcome == nil }
            if open.isEmpty { return }
            let mustSucceed = round == 0 && exchange.requiresAllNodes
            let groups = try group(open, exchange, cluster, deadline, mustSucceed)
            var links: [(node: Node, link: Link, calls: [Int])] = []
            for (node, calls) in groups {
                do throws(RedisError) {
                    links.append((node, try soundLink(to: node, deadline), calls))
                } catch {
                    cluster.watch.cluster.requestMap()
                    if mustSucceed { throw error }
                    for index in calls { exchange.calls[index].fail(error) }
                }
            }
            roundTrip(links, exchange, cluster, until: commandEnd(deadline))
            pauseIfNeeded(exchange, after: round, until: waitEnd)
            round += 1
        }
    }

    /// Assigns calls to nodes, in the order of the calls.
    private func group(
        _ open: [Int],
        _ exchange: ClusterExchange,
        _ cluster: ClusterNodes,
        _ deadline: Instant?,
        _ mustSucceed: Bool
    ) throws(RedisError) -> [(node: Node, calls: [Int])] {
        var groups: [(node: Node, calls: [Int])] = []
        var withoutKey: [Int] = []
        func add(_ index: Int, _ node: Node) {
            if let group = groups.firstIndex(where: { $0.node === node }) {
                groups[group].calls.append(index)
            } else {
                groups.append((node, [index]))
            }
        }
        for index in open {
            let call = exchange.calls[index]
            do throws(RedisError) {
                if let endpoint = call.redirectedTo {
                    add(index, cluster.node(endpoint))
                    continue
                }
                switch call.target {
                case .node(let endpoint): add(index, cluster.node(endpoint))
                case .slot(let slot?): add(index, try cluster.master(of: slot, until: connectLimit(deadline)))
                case .slot(nil): withoutKey.append(index)
                }
            } catch {
                if mustSucceed { throw error }
                exchange.calls[index].fail(error)
            }
        }
        if withoutKey.isEmpty { return groups }
        do throws(RedisError) {
            let node = try nodeWithoutKey(groups.first?.node, cluster, deadline)
            for index in withoutKey { add(index, node) }
        } catch {
            if mustSucceed { throw error }
            for index in withoutKey { exchange.calls[index].fail(error) }
        }
        return groups
    }

    /// Returns the node for commands without a key: the one that is being prepared, one that gets other commands, or
    /// the first one that can be used.
    private func nodeWithoutKey(
        _ other: Node?,
        _ cluster: ClusterNodes,
        _ deadline: Instant?
    ) throws(RedisError) -> Node {
        if let node = nodeInPreparation ?? other { return node }
        var failure = RedisError.unavailable("the cluster has no masters")
        for node in try cluster.nodesInOrder(until: connectLimit(deadline)) {
            do throws(RedisError) {
                _ = try soundLink(to: node, deadline)
                return node
            } catch {
                failure = error
                cluster.watch.cluster.requestMap()
                if let deadline, deadline <= .now { break }
            }
        }
        throw failure
    }

    /// Writes to all links, then reads from all of them.
    private func roundTrip(
        _ links: [(node: Node, link: Link, calls: [Int])],
        _ exchange: ClusterExchange,
        _ cluster: ClusterNodes,
        until end: Instant
    ) {
        var failures: [RedisError?] = []
        for (node, link, calls) in links {
            // While another node was being prepared, this node may have been used and may have lost a reply.
            guard node.link === link else {
                failures.append(.unavailable("the connection was lost while another was opened"))
                continue
            }
            node.metrics.roundTrips.add()
            for index in calls {
                for (command, _) in exchange.calls[index].wireCommands { link.append(command) }
            }
            do throws(RedisError) {
                try link.flush(until: end)
                failures.append(nil)
            } catch {
                failures.append(error)
            }
        }
        for ((node, link, calls), failure) in zip(links, failures) {
            var failure = failure
            for index in calls {
                do throws(RedisError) {
                    if let failure { throw failure }
                    var replies: [Reply] = []
                    for _ in exchange.calls[index].wireCommands { replies.append(try link.nextReply(until: end)) }
                    exchange.calls[index].take(replies, from: link.endpoint, cluster.watch.cluster)
                } catch {
                    failure = error
                    exchange.calls[index].fail(error)
                }
            }
            if failure == nil {
                leaveIfRefusing(link, node)
            } else {
                node.drop()
            }
            if failure != nil || link.isRefusing { cluster.watch.cluster.requestMap() }
        }
    }

    /// The minimum time left for another attempt. If an attempt failed at the deadline, its outcome would be unknown.
    private static let shortestTry: Duration = .milliseconds(20)

    /// If commands may succeed later, waits a moment, longer each time; fails them if too little time is left.
    private func pauseIfNeeded(_ exchange: ClusterExchange, after round: Int, until end: Instant) {
        let waiting = exchange.calls.indices.filter {
            exchange.calls[$0].outcome == nil && exchange.calls[$0].reasonToWait != nil
        }
        guard !waiting.isEmpty else { return }
        let pause = Duration.milliseconds(Int.random(in: 1...(5 << min(round, 3))))
        guard .now + pause + Self.shortestTry < end else {
            for index in waiting { exchange.calls[index].giveUp() }
            return
        }
        ActiveThreads.sleep(for: pause)
    }
}
