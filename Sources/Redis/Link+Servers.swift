extension Link {
    /// Connects and logs in to the first server that is reachable and not a replica. Each server has a share of the
    /// time that is left, so that one that does not answer leaves time for the next.
    ///
    /// With a single server, its role does not matter: an operator may examine a replica.
    ///
    /// - Throws: ``RedisError``; ``RedisError/unavailable(_:)`` with the reasons of all servers if there are several
    ///   and none of them can be used.
    static func connect(_ configuration: ConnectionConfiguration, until end: Instant) throws(RedisError) -> Link {
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
    /// Why a server cannot be used, if another one may be; nil for a mistake in the settings, such as a wrong password.
    fileprivate var reasonToGoOn: String? {
        switch self {
        case .unavailable(let reason), .connectionLost(let reason), .protocolViolation(let reason): reason
        case .timedOut: "it accepts connections but does not answer"
        case .refused, .notReplicated, .outOfMemory, .server: nil
        }
    }
}
