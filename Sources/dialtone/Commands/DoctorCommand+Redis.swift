import ArgumentParser
import Encodings
import Glibc
import PhoneAuth
import Redis
import RedisStore

extension DoctorCommand {
    /// `dialtone doctor redis`.
    struct Redis: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redis",
            abstract:
                "Check whether Redis can lose accounts: what is wrong, why it matters, and the line that fixes it.",
            discussion: """
                Connects as the user in the settings, and changes nothing. For checks that this user has no \
                permission for, set DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment to an \
                administrator's. Exits with 1 if accounts are or will be lost, or if workers cannot serve.
                """
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let state: RedisState
            do {
                state = try RedisState.read(settings.redis) { Environment.system.now().milliseconds }
            } catch {
                throw Failure("\(settings.redis.servers): \(error)")
            }
            let findings = state.findings(
                for: RedisExpectation(
                    shards: settings.shards,
                    replicasBeforeAnswer: settings.redis.replicaConfirmation?.replicas ?? 0
                )
            )
            for finding in findings {
                printLine("\(finding.severity.label)\(finding.subject): \(finding.text)")
                if let remedy = finding.remedy { printLine("        → \(remedy)") }
            }
            guard !findings.contains(where: { $0.severity == .critical }) else { Glibc.exit(1) }
        }
    }
}

extension RedisFinding.Severity {
    fileprivate var label: String {
        switch self {
        case .fine: "ok      "
        case .advice: "advice  "
        case .unknown: "unknown "
        case .critical: "ERROR   "
        }
    }
}
