public import Redis

/// What is right and wrong with all servers of a deployment's Redis.
public struct RedisDiagnosis: Sendable {
    /// The findings about one server, or about the Sentinels.
    public struct Section: Sendable {
        /// What the findings are about, such as `master` or `replica 10.0.0.2:6379`.
        public let title: String
        /// The findings, in the order that is best to read.
        public let findings: [RedisFinding]
    }

    /// The master first, then its replicas, then the Sentinels.
    public let sections: [Section]

    /// Whether accounts are or will be lost, or workers cannot serve.
    public var isCritical: Bool {
        sections.contains { $0.findings.contains { $0.severity == .critical } }
    }

    /// Examines the master, each replica that it reports, and the Sentinels. Changes nothing.
    ///
    /// `now` returns this machine's time in milliseconds since the Unix epoch.
    ///
    /// - Throws: ``StoreUnavailable`` if the master cannot be reached or rejects the user.
    public static func examine(
        _ configuration: ConnectionConfiguration,
        for expectation: RedisExpectation,
        now: () -> Int64
    ) throws(StoreUnavailable) -> RedisDiagnosis {
        let master = try RedisState.read(configuration, now: now)
        var sections = [Section(title: "master", findings: master.findings(for: expectation))]
        for replica in master.replicas {
            let findings: [RedisFinding]
            do throws(StoreUnavailable) {
                guard let only = configuration.only(host: replica.host, port: replica.port) else {
                    throw StoreUnavailable(description: "the master reports an address that is none")
                }
                findings = try RedisState.read(only, now: now).findingsOfReplica(for: expectation)
            } catch {
                findings = [
                    RedisFinding(
                        .unknown,
                        "connection",
                        "\(error)",
                        remedy: "dialtone doctor on a machine that reaches \(replica.address), as workers will have to"
                    )
                ]
            }
            sections.append(Section(title: "replica \(replica.address)", findings: findings))
        }
        if let sentinels = configuration.sentinelStates() {
            sections.append(Section(title: "Sentinels", findings: RedisFinding.findings(about: sentinels)))
        }
        return RedisDiagnosis(sections: sections)
    }
}
