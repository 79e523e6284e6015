/// Whether acknowledged writes survive a crash of Redis or its machine.
extension RedisState {
    var durabilityFindings: [Finding] {
        var findings = [appendOnly]
        if isAppendOnly { findings += [fsync, fsyncDuringRewrites] }
        return findings + persistenceErrors
    }

    private var isAppendOnly: Bool { information?["aof_enabled"] == "1" }

    private var appendOnly: Finding {
        if isAppendOnly { return .fine("appendonly", "yes") }
        return Finding(
            .critical,
            "appendonly",
            "no: when Redis stops, all changes since its last RDB snapshot, if any, are lost",
            // With only the line in redis.conf, the next start would find no append-only file and begin empty.
            remedy:
                "redis-cli CONFIG SET appendonly yes while Redis runs, without a restart; then redis-cli CONFIG REWRITE"
        )
    }

    private var fsync: Finding {
        switch settings["appendfsync"] {
        case "always": return .fine("appendfsync", "always: acknowledged writes are on disk")
        case nil: return .unknown("appendfsync", needs: "CONFIG GET")
        case let policy?:
            let isEverySecond = policy == "everysec"
            return Finding(
                isEverySecond ? .advice : .critical,
                "appendfsync",
                "\(policy): a machine crash loses the last \(isEverySecond ? "second" : "half minute") of changes",
                remedy: "redis-cli CONFIG SET appendfsync always, then redis-cli CONFIG REWRITE"
            )
        }
    }

    static let rewriteName = "no-appendfsync-on-rewrite"

    private var fsyncDuringRewrites: Finding {
        let name = Self.rewriteName
        guard let value = settings[name] else { return .unknown(name, needs: "CONFIG GET") }
        guard value != "no" else { return .fine(name, value) }
        return Finding(
            .advice,
            name,
            "\(value): a machine crash while the append-only file is rewritten loses up to half a minute of changes",
            remedy: "redis-cli CONFIG SET \(name) no, then redis-cli CONFIG REWRITE"
        )
    }

    private var persistenceErrors: [Finding] {
        var findings: [Finding] = []
        if isAppendOnly {
            findings.append(
                status(
                    "aof_last_write_status",
                    "the append-only file could not be written: Redis refuses every write until it can be",
                    .critical
                )
            )
            findings.append(
                status(
                    "aof_last_bgrewrite_status",
                    "the append-only file could not be rewritten: it grows until the disk is full",
                    .critical
                )
            )
        }
        let stops = settings["stop-writes-on-bgsave-error"]
        findings.append(
            status(
                "rdb_last_bgsave_status",
                stops == "no"
                    ? "the last RDB snapshot failed: replicas and backups cannot be created"
                    : "the last RDB snapshot failed: Redis refuses all writes while stop-writes-on-bgsave-error is yes",
                stops == "no" ? .advice : .critical
            )
        )
        return findings
    }

    private func status(_ name: String, _ trouble: String, _ severity: Finding.Severity) -> Finding {
        let status = information?[name] ?? "ok"
        guard status != "ok" else { return .fine(name, status) }
        return Finding(
            severity,
            name,
            "\(status): \(trouble)",
            remedy: "check the disk space (df -h), the permissions of Redis's folder (ls -ld), and Redis's log"
        )
    }
}
