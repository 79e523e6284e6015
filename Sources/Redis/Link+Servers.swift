extension Link {
    /// Connects and logs in to the first server that is reachable and not a replica. Each server gets a share of the
    /// remaining time, so that a server that does not respond leaves time for the next.
    ///
    /// A single server may have any role, so that an operator can examine a replica.
    ///
    /// - Throws: ``RedisError``; ``RedisError/unavailable(_:)`` with the reasons of all servers if there are several
    ///   and none of them can be used.
    static func connect(_ configuration: ConnectionConfiguration, until end: Instant) throws(RedisError) -> Link {
        if let watch = configuration.watch { return try connectToMaster(watch, configuration, until: end) }
        let endpoints = configuration.servers.endpoints
        if endpoints.count == 1 { return try connect(to: endpoints[0], configuration, until: end) }
        var reasons: [String] = []
        for (index, endpoint) in endpoints.enumerated() {
            let share = Instant.now.duration(to: end) / (endpoints.count - index)
            do {
                return try connect(to: endpoint, configuration, requiresMaster: true, until: .now + share)
            } catch {
                guard let reason = error.reasonToGoOn else { throw error }
                reasons.append("\(endpoint): \(reason)")
            }
        }
        throw .unavailable("no server can be used: \(reasons.joined(separator: "; "))")
    }

    /// Connects to the master that a Sentinel reports, and verifies that it is a master. Each Sentinel gets a share of
    /// the remaining time.
    private static func connectToMaster(
        _ watch: MasterWatch,
        _ configuration: ConnectionConfiguration,
        until end: Instant
    ) throws(RedisError) -> Link {
        let sentinels = watch.sentinels
        watch.start()
        // If another server becomes the master while this function runs, the new link is outdated.
        let switchCount = sentinels.switchCount
        var reasons: [String] = []
        var tried: Set<Endpoint> = []
        let order = sentinels.inOrder
        for (index, sentinel) in order.enumerated() {
            let left = order.count - index
            let master: Endpoint
            do throws(RedisError) {
                master = try sentinels.master(from: sentinel, until: .now + Instant.now.duration(to: end) / (left + 1))
            } catch {
                reasons.append("\(sentinel): \(error.reasonToGoOn ?? error.description)")
                continue
            }
            sentinels.answered(sentinel)
            guard !sentinels.isReplaced(master) else {
                reasons.append("\(sentinel): it names \(master), which is being replaced")
                continue
            }
            guard tried.insert(master).inserted else { continue }
            do throws(RedisError) {
                let share = Instant.now.duration(to: end) / left
                let link = try connect(to: master, configuration, requiresMaster: true, until: .now + share)
                link.isDisputed = !sentinels.connected(to: master)
                link.switchCount = switchCount
                return link
            } catch {
                guard let reason = error.reasonToGoOn else { throw error }
                reasons.append("\(master): \(reason)")
            }
        }
        throw .unavailable("no Sentinel names a usable master: \(reasons.joined(separator: "; "))")
    }

    static func connect(
        to endpoint: Endpoint,
        _ configuration: ConnectionConfiguration,
        requiresMaster: Bool = false,
        until end: Instant
    ) throws(RedisError) -> Link {
        let link = try Link(to: endpoint, tls: configuration.tls, until: end)
        try link.logIn(configuration, requiresMaster: requiresMaster, until: end)
        return link
    }
}

extension RedisError {
    /// Why a server cannot be used, if another server may be usable; nil for a mistake in the settings, such as a wrong
    /// password.
    var reasonToGoOn: String? {
        switch self {
        case .unavailable(let reason), .connectionLost(let reason), .protocolViolation(let reason): reason
        case .timedOut: "it accepts connections but does not respond"
        case .refused, .notReplicated, .outOfMemory, .server: nil
        }
    }
}
