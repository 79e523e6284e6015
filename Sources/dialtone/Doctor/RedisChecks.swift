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
        let waiting =
            try authenticator.pendingMessages().map(\.queuedAt) + authenticator.pendingMails().map(\.queuedAt)
        let oldest = waiting.min().map { Environment.system.now() - $0 } ?? .zero
        let dead = try authenticator.undeliverableMessages().count
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
                "\(waiting.count)",
                wrong: oldest > .seconds(60)
                    ? (
                        .critical, "\(waiting.count), one of them for \(oldest.components.seconds) s",
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
