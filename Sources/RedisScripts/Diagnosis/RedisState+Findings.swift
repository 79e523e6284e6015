/// The requirements that a deployment has for its Redis.
public struct RedisExpectation: Sendable {
    /// The number of shards of the deployment's keys.
    public let shards: ShardCount
    /// The marks of the key file.
    public let marks: DeploymentMarks
    /// The number of replicas that must have a change of an account before the change is acknowledged.
    public let replicasBeforeAnswer: Int

    /// Creates the requirements from a deployment's settings.
    public init(shards: ShardCount, marks: DeploymentMarks, replicasBeforeAnswer: Int) {
        self.shards = shards
        self.marks = marks
        self.replicasBeforeAnswer = replicasBeforeAnswer
    }
}

extension RedisState {
    /// Returns all findings about a master.
    func findings(for expectation: RedisExpectation) -> [Finding] {
        if let failure {
            return [
                Finding(
                    .critical,
                    "node",
                    "\(failure); requests that need its keys get 503",
                    remedy: "systemctl status redis-server and its log, on this node"
                )
            ]
        }
        var findings = [permissions, clock, deployment(expectation)] + clusterFindings
        guard information != nil else {
            return findings
                + ["version", "appendonly", "maxmemory-policy", "memory", "replicas"].map {
                    .unknown($0, needs: "INFO")
                }
        }
        findings += [version, role] + durabilityFindings + [evictionPolicy, memory] + compactness
        return findings + replicationFindings(expectation.replicasBeforeAnswer)
    }

    /// Returns all findings about a replica, which a failover may make the master.
    func findingsOfReplica(for expectation: RedisExpectation) -> [Finding] {
        let findings = [permissions, clock] + coverage
        guard information != nil else {
            return findings
                + ["version", "appendonly", "maxmemory-policy", "memory"].map { .unknown($0, needs: "INFO") }
        }
        return findings + [version] + durabilityFindings + [evictionPolicy, memory] + compactness
            + [minimumAfterFailover(expectation.replicasBeforeAnswer)] + maximumLag
    }

    // MARK: Whether workers can work with it

    private var permissions: Finding {
        guard let refusedCommands else {
            return Finding(.unknown, "permissions", "only Redis 7.0 and later report a user's permissions")
        }
        guard !refusedCommands.isEmpty else {
            return .fine("permissions", "this user may run all commands that Dialtone needs")
        }
        return Finding(
            .critical,
            "permissions",
            "this user may not run \(refusedCommands.joined(separator: ", ")); requests that need it get 503",
            remedy:
                "redis-cli ACL SETUSER <user> '~dt:*' +@read +@write +@scripting +@connection +time -@dangerous +info"
                + (cluster == nil ? "" : " '+cluster|info' '+cluster|slots' '+cluster|nodes'")
        )
    }

    private var clock: Finding {
        let seconds = Double(abs(clockDifference) / 100) / 10
        let text = "Redis's clock and this machine's are \(seconds) s apart"
        let remedy = "timedatectl set-ntp true, on both machines"
        if seconds > Double(Store.maximumClockDifferenceSeconds) {
            return Finding(.critical, "clock", text + ": workers refuse to start", remedy: remedy)
        }
        guard seconds > 2 else { return .fine("clock", text) }
        return Finding(
            .advice,
            "clock",
            text + ": rate limits and codes expire too early or too late by this much",
            remedy: remedy
        )
    }

    private func deployment(_ expected: RedisExpectation) -> Finding {
        guard let deployment else { return .unknown("deployment", needs: "HGETALL") }
        let own = DeploymentMarks.fingerprint(expected.marks.keys)
        let indexKey = deployment[IndexKeyState.field].flatMap { IndexKeyState(text: $0) } ?? .first
        let mismatch =
            expected.marks.mismatch(with: deployment, expected.shards) ?? expected.marks.mismatch(of: indexKey)
            ?? DeploymentMarks.mismatch(of: indexKey, since: nil)
        guard let mismatch else {
            return .fine("deployment", "\(own) here and in the key file; \(expected.shards.value) shards")
        }
        let text = "Redis \(mismatch.fact): workers refuse to start"
        return Finding(.critical, "deployment", text, remedy: mismatch.remedy)
    }

    private var version: Finding {
        let text = information?["redis_version"] ?? ""
        let numbers = text.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, (numbers[0], numbers[1]) >= (6, 2) else {
            return Finding(
                .critical,
                "version",
                "\(text): Dialtone requires Redis 6.2 or later",
                remedy: "apt install redis-server, on Debian 12 or later"
            )
        }
        return .fine("version", text)
    }

    private var role: Finding {
        guard information?["role"] != "master" else { return .fine("role", "master") }
        let master = "\(information?["master_host"] ?? ""):\(information?["master_port"] ?? "")"
        return Finding(
            .critical,
            "role",
            "this is a replica, which accepts no writes: every request gets 503",
            remedy: "DIALTONE_REDIS_ADDRESS=tcp:\(master)"
        )
    }

    // MARK: Memory

    private var evictionPolicy: Finding {
        let policy = information?["maxmemory_policy"] ?? ""
        guard policy != "noeviction" else { return .fine("maxmemory-policy", policy) }
        let victims = policy.hasPrefix("volatile") ? "sessions, limits and refresh tokens" : "accounts"
        let isBounded = number("maxmemory") != 0
        return Finding(
            isBounded ? .critical : .advice,
            "maxmemory-policy",
            "\(policy): when memory is full, Redis evicts \(victims)"
                + (isBounded ? "" : "; not yet, because maxmemory is 0"),
            remedy: "redis-cli CONFIG SET maxmemory-policy noeviction, then redis-cli CONFIG REWRITE"
        )
    }

    private var memory: Finding {
        let used = number("used_memory") ?? 0
        let bound = number("maxmemory") ?? 0
        let limit = bound > 0 ? bound : number("total_system_memory") ?? 0
        let text = "\(used >> 20) of \(limit >> 20) MiB (\(bound > 0 ? "maxmemory" : "the machine's memory")) are used"
        let share = Double(used) / Double(limit)
        guard limit > 0, share >= 0.75 else { return .fine("memory", text) }
        return Finding(
            share >= 0.9 ? .critical : .advice,
            "memory",
            text
                + (bound > 0
                    ? ": when it is full, no one can sign in" : ": when it is full, the OOM killer ends Redis"),
            remedy: "redis-cli CONFIG SET maxmemory <bytes>: about three quarters of the memory of a larger machine"
        )
    }

    /// The longest value with which Redis stores a hash compactly, as one listpack.
    private var compactness: [Finding] {
        let name = "hash-max-listpack-value"
        guard let bytes = settings[name].flatMap({ Int($0) }) else { return [] }
        guard bytes < 1024 else { return [.fine(name, String(bytes))] }
        return [
            Finding(
                .advice,
                name,
                "\(bytes): an account with a password, a long address or a photo URL takes 50 % more memory",
                remedy: "redis-cli CONFIG SET \(name) 1024, then redis-cli CONFIG REWRITE"
            )
        ]
    }
}
