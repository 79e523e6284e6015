import Redis

extension Finding {
    static func unknown(_ subject: String, needs command: String) -> Finding {
        Finding(
            .unknown,
            subject,
            "this user lacks permission for \(command)",
            remedy: "DIALTONE_REDIS_USER=… DIALTONE_REDIS_PASSWORD=… dialtone doctor, with a user that has it; "
                + "if DIALTONE_REDIS_ADDRESS contains a user or a password, set DIALTONE_REDIS_ADDRESS instead"
        )
    }
}

/// Whether a failed master will be replaced, and whether workers will notice.
extension Finding {
    static func findings(about sentinels: [SentinelState]) -> [Finding] {
        let reports = sentinels.compactMap(\.report)
        return [count(sentinels.count, reports)] + masters(reports) + sentinels.map { finding($0, sentinels.count) }
    }

    private static func count(_ listed: Int, _ reports: [SentinelState.Report]) -> Finding {
        let all = reports.map { $0.others + 1 }.max() ?? listed
        if all < 3 {
            return Finding(
                .advice,
                "count",
                "\(all): if one machine fails, the other Sentinels are no majority, and no one replaces the master",
                remedy: "a Sentinel on each of three machines"
            )
        }
        if all > listed {
            return Finding(
                .advice,
                "count",
                "\(all), but the settings list only \(listed): a failover that another one leads is noticed late, and "
                    + "changes that are acknowledged in the meantime may be lost",
                remedy: "list all Sentinels in DIALTONE_REDIS_ADDRESS"
            )
        }
        return .fine("count", String(all))
    }

    private static func masters(_ reports: [SentinelState.Report]) -> [Finding] {
        let masters = Set(reports.map(\.master)).sorted()
        guard masters.count > 1 else { return masters.map { .fine("master", $0) } }
        return [
            Finding(
                .advice,
                "master",
                "the Sentinels name \(masters.joined(separator: " and ")): a failover is in progress, or some are isolated",
                remedy: "if this lasts for more than a few seconds: redis-cli -p 26379 SENTINEL MASTERS on each machine"
            )
        ]
    }

    private static func finding(_ sentinel: SentinelState, _ listed: Int) -> Finding {
        guard let report = sentinel.report else {
            return Finding(
                .advice,
                sentinel.address,
                "\(sentinel.fault): failovers that it leads are noticed late",
                remedy: "systemctl status redis-sentinel and its log, on that machine"
            )
        }
        if let objection = report.objection {
            return Finding(
                .advice,
                sentinel.address,
                "this Sentinel cannot replace a failed master now: \(objection)",
                remedy: "start the missing Sentinels"
            )
        }
        return .fine(sentinel.address, "sees \(report.others) others; \(report.quorum) must agree on a failure")
    }
}
