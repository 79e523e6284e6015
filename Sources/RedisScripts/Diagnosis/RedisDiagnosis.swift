public import Redis

/// The findings about all Redis servers of a deployment.
public struct RedisDiagnosis: Sendable {
    /// The findings about one server, or about the Sentinels.
    public struct Section: Sendable {
        /// What the findings are about, such as `master` or `replica 10.0.0.2:6379`.
        public let title: String
        /// The findings, in reading order.
        public let findings: [Finding]
    }

    /// The master first, then its replicas, then the Sentinels. For a cluster, each master with its replicas.
    public let sections: [Section]

    /// Whether accounts are being lost or will be, or workers cannot serve.
    public var isCritical: Bool {
        sections.contains { $0.findings.contains { $0.severity == .critical } }
    }

    /// Examines the master, or all masters of a cluster, with each replica that they report, and the Sentinels. Changes
    /// nothing.
    ///
    /// `now` returns this machine's time in milliseconds since the Unix epoch.
    ///
    /// - Throws: ``StoreUnavailable`` if no master can be reached, or they reject the user.
    public static func examine(
        _ configuration: ConnectionConfiguration,
        for expectation: RedisExpectation,
        now: () -> Int64
    ) throws(StoreUnavailable) -> RedisDiagnosis {
        var sections: [Section] = []
        for master in try RedisState.readAll(configuration, now: now) {
            let title = master.node.map { "master \($0)" } ?? "master"
            sections.append(Section(title: title, findings: master.findings(for: expectation)))
            sections += replicas(of: master, configuration, expectation, now)
        }
        if let sentinels = configuration.sentinelStates() {
            sections.append(Section(title: "Sentinels", findings: Finding.findings(about: sentinels)))
        }
        return RedisDiagnosis(sections: sections)
    }

    private static func replicas(
        of master: RedisState,
        _ configuration: ConnectionConfiguration,
        _ expectation: RedisExpectation,
        _ now: () -> Int64
    ) -> [Section] {
        master.replicas.map { replica in
            let findings: [Finding]
            do throws(StoreUnavailable) {
                guard let only = configuration.only(host: replica.host, port: replica.port) else {
                    throw StoreUnavailable(description: "the master reports an invalid address")
                }
                findings = try RedisState.read(only, now: now).findingsOfReplica(for: expectation)
            } catch {
                findings = [
                    Finding(
                        .unknown,
                        "connection",
                        "\(error)",
                        remedy: "dialtone doctor on a machine that reaches \(replica.address), as workers will have to"
                    )
                ]
            }
            return Section(title: "replica \(replica.address)", findings: findings)
        }
    }
}
