import Encodings
import PhoneAuth
import Redis
import RedisScripts

/// Checks of Redis, and of what it shows about the dispatchers of all machines.
struct RedisChecks {
    let settings: Settings
    let keys: ServerKeys

    /// Adds the findings. If Redis does not respond, they say why.
    func examine(_ checkup: inout Checkup) {
        let expectation = RedisExpectation(
            shards: settings.shards,
            marks: keys.deploymentMarks,
            replicasBeforeAnswer: settings.redis.replicaConfirmation?.replicas ?? 0
        )
        do throws(StoreUnavailable) {
            let diagnosis = try RedisDiagnosis.examine(settings.redis, for: expectation) {
                Environment.system.now().milliseconds
            }
            for section in diagnosis.sections { checkup.add("Redis \(section.title)", section.findings) }
            guard !diagnosis.isCritical else { return }
            checkup.add("dispatchers", try dispatcherFindings())
        } catch {
            let text = "\(settings.redis.servers): \(error)"
            let remedy = "systemctl status redis-server; check DIALTONE_REDIS_ADDRESS, its user and its password"
            checkup.add("Redis", [Finding(.critical, "connection", text, remedy: remedy)])
        }
    }

    private func dispatcherFindings() throws(StoreUnavailable) -> [Finding] {
        let gateways = settings.gateways
        guard gateways.routes != nil || !gateways.mailGateways.isEmpty || !settings.apnsCredentials.isEmpty else {
            return []
        }
        let authenticator = settings.authenticator(keys)
        let count = try authenticator.runningDispatchers()
        let now = Environment.system.now()
        var (waiting, oldest, dead) = (0, Duration.zero, 0)
        for outbox in [Outbox.messages, .mails] {
            let backlog = try authenticator.backlog(of: outbox)
            waiting += backlog.items
            if let time = backlog.oldest { oldest = max(oldest, now - Instant(milliseconds: time)) }
            for project in settings.projects {
                dead += try authenticator.undeliverableMessages(in: outbox, of: project.id).count
            }
        }
        return [
            .check(
                "running",
                "\(count)",
                wrong: count == 0
                    ? (
                        .critical, "no dispatcher runs: messages and pushes wait in the outbox",
                        "systemctl enable --now dialtone-dispatcher"
                    ) : nil
            ),
            .check(
                "waiting messages",
                "\(waiting)",
                wrong: oldest > .seconds(60)
                    ? (
                        .critical, "\(waiting), one of them for \(oldest.components.seconds) s",
                        "dialtone outbox shows why"
                    ) : nil
            ),
            .check(
                "undeliverable messages",
                "none",
                wrong: dead > 0 ? (.advice, "\(dead)", "dialtone outbox shows why; dialtone outbox drop --all") : nil
            ),
        ]
    }
}
