/// Whether another machine also has the accounts.
extension RedisState {
    /// A replica with a longer lag does not count, as in Redis's `min-replicas-max-lag`.
    private static let maximumLagSeconds: Int64 = 10

    func replicationFindings(_ replicasBeforeAnswer: Int) -> [Finding] {
        guard information?["role"] == "master" else { return [] }
        let healthy = replicas.filter { $0.isOnline && $0.lag <= Self.maximumLagSeconds }.count
        return [count(healthy, replicasBeforeAnswer)] + replicas.map(finding)
            + [minimum(healthy, replicasBeforeAnswer)] + maximumLag
    }

    private func count(_ healthy: Int, _ needed: Int) -> Finding {
        if healthy < needed {
            return Finding(
                .critical,
                "replicas",
                "\(healthy) are online, but \(needed) must confirm each change of an account: every change gets 503",
                remedy: "start the missing replicas, or DIALTONE_REDIS_REPLICAS_BEFORE_ANSWER=\(healthy)"
            )
        }
        if healthy > 0 {
            let text = "\(healthy) online, \(needed) must confirm each change"
            if needed == 0 {
                return Finding(
                    .advice,
                    "replicas",
                    text + ": a failover loses the changes that its replica lacks",
                    remedy: "DIALTONE_REDIS_REPLICAS_BEFORE_ANSWER=1"
                )
            }
            guard healthy == needed else { return .fine("replicas", text) }
            return Finding(
                .advice,
                "replicas",
                text + ": after a failover, changes get 503 until the failed server is back",
                remedy: "one more: \(newReplica)"
            )
        }
        return Finding(
            .advice,
            "replicas",
            "none: if this machine's disk fails, all accounts are lost",
            remedy: cluster == nil ? "\(newReplica), or dialtone backup every day" : newReplica
        )
    }

    private var newReplica: String {
        cluster == nil
            ? "replicaof <this machine> <port> in redis.conf on another machine"
            : "redis-cli --cluster add-node <new node> <this node>, with a node on another machine, then "
                + "redis-cli -h <its host> -p <its port> CLUSTER REPLICATE <id of this node>"
    }

    private func finding(of replica: Replica) -> Finding {
        let behind = max(0, (number("master_repl_offset") ?? 0) - replica.offset)
        let text = "\(behind >> 10) KiB behind, reported \(replica.lag) s ago"
        guard !replica.isOnline || replica.lag > Self.maximumLagSeconds else {
            return .fine("replica \(replica.address)", text)
        }
        return Finding(
            .advice,
            "replica \(replica.address)",
            (replica.isOnline ? "" : "not online, ") + text + ": a failover to it loses the changes that it lacks",
            remedy: "systemctl status redis-server and its log, on \(replica.address)"
        )
    }

    /// Redis checks min-replicas-to-write before a write, whereas `WAIT` checks after it.
    private func minimum(_ healthy: Int, _ needed: Int) -> Finding {
        let name = Self.minimumName
        // INFO has this field only if the setting is not 0.
        guard
            let minimum = settings[name].flatMap({ Int($0) })
                ?? (information?["min_slaves_good_slaves"] == nil ? 0 : nil)
        else { return .unknown(name, needs: "CONFIG GET") }
        if minimum > healthy, settings[Self.maximumLagName] != "0" {
            return Finding(
                .critical,
                name,
                "\(minimum), but \(healthy) are online: Redis refuses every write",
                remedy: "start the missing replicas, or redis-cli CONFIG SET \(name) \(healthy)"
            )
        }
        guard minimum < max(needed, min(healthy, 1)) else { return .fine(name, String(minimum)) }
        return tooFew(minimum, needed)
    }

    /// Checks the same setting of a replica, which takes effect once it becomes the master.
    func minimumAfterFailover(_ needed: Int) -> Finding {
        guard let minimum = settings[Self.minimumName].flatMap({ Int($0) }) else {
            return .unknown(Self.minimumName, needs: "CONFIG GET")
        }
        guard minimum < max(needed, 1) else { return .fine(Self.minimumName, String(minimum)) }
        return tooFew(minimum, needed)
    }

    static let minimumName = "min-replicas-to-write"
    static let maximumLagName = "min-replicas-max-lag"

    /// With 0, Redis ignores `min-replicas-to-write`.
    var maximumLag: [Finding] {
        guard let minimum = settings[Self.minimumName], minimum != "0" else { return [] }
        let name = Self.maximumLagName
        guard let lag = settings[name] else { return [.unknown(name, needs: "CONFIG GET")] }
        guard lag == "0" else { return [.fine(name, lag)] }
        return [
            Finding(
                .advice,
                name,
                "0: it disables \(Self.minimumName), so without replicas, Redis keeps accepting changes, which a failover "
                    + "then loses",
                remedy: "redis-cli CONFIG SET \(name) 10, then redis-cli CONFIG REWRITE"
            )
        ]
    }

    private func tooFew(_ minimum: Int, _ needed: Int) -> Finding {
        Finding(
            .advice,
            Self.minimumName,
            "\(minimum): without replicas, Redis keeps accepting changes, which a failover then loses",
            remedy: "redis-cli CONFIG SET \(Self.minimumName) \(max(needed, 1)), then redis-cli CONFIG REWRITE"
        )
    }
}
