/// Whether acknowledged writes survive a crash of Redis or its machine.
extension RedisState {
    var durabilityFindings: [RedisFinding] {
        var findings = [appendOnly]
        if isAppendOnly { findings.append(fsync) }
        return findings + persistenceErrors
    }

    private var isAppendOnly: Bool { information?["aof_enabled"] == "1" }

    private var appendOnly: RedisFinding {
        if isAppendOnly { return .fine("appendonly", "yes") }
        return RedisFinding(
            .grave,
            "appendonly",
            "no: when Redis ends, all accounts since its last dump are gone, and there may be no dump",
            // With only the line in redis.conf, the next start would find no append-only file and begin empty.
            remedy:
                "redis-cli CONFIG SET appendonly yes, while Redis runs and not by a restart; then redis-cli CONFIG REWRITE"
        )
    }

    private var fsync: RedisFinding {
        switch settings["appendfsync"] {
        case "always": return .fine("appendfsync", "always: what is acknowledged is on disk")
        case nil: return .unknown("appendfsync", needs: "CONFIG GET")
        case let policy?:
            let isEverySecond = policy == "everysec"
            return RedisFinding(
                isEverySecond ? .advice : .grave,
                "appendfsync",
                "\(policy): a crash of the machine takes the last \(isEverySecond ? "second" : "half minute") of accounts with it",
                remedy: "redis-cli CONFIG SET appendfsync always, then redis-cli CONFIG REWRITE"
            )
        }
    }

    private var persistenceErrors: [RedisFinding] {
        var findings: [RedisFinding] = []
        if isAppendOnly {
            findings.append(
                status(
                    "aof_last_write_status",
                    "the append-only file could not be written: Redis refuses every write until it can",
                    .grave
                )
            )
            findings.append(
                status(
                    "aof_last_bgrewrite_status",
                    "the append-only file could not be rewritten: it grows until the disk is full",
                    .grave
                )
            )
        }
        let stops = settings["stop-writes-on-bgsave-error"]
        findings.append(
            status(
                "rdb_last_bgsave_status",
                stops == "no"
                    ? "the last dump failed: replicas cannot be set up, nor backups made"
                    : "the last dump failed: Redis refuses every write while stop-writes-on-bgsave-error is yes",
                stops == "no" ? .advice : .grave
            )
        )
        return findings
    }

    private func status(_ name: String, _ trouble: String, _ gravity: RedisFinding.Gravity) -> RedisFinding {
        let status = information?[name] ?? "ok"
        guard status != "ok" else { return .fine(name, status) }
        return RedisFinding(
            gravity,
            name,
            "\(status): \(trouble)",
            remedy: "df -h and ls -ld on Redis's folder, and its log: room on the disk, and rights to write"
        )
    }
}
