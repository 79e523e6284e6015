import ArgumentParser
import Glibc
import PhoneAuth
import Redis
import RedisStore

extension DoctorCommand {
    /// `dialtone doctor redis`.
    struct Redis: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redis",
            abstract: "Check whether Redis keeps accounts: what is wrong, why it matters, and the line that mends it.",
            discussion: """
                Asks as the user in the settings, and changes nothing. What that user may not know an administrator can ask: \
                DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment come before the file. \
                Exits with 1 where accounts are or will be lost, or workers cannot serve.
                """
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let state: RedisState
            do {
                state = try RedisState.read(settings.redis) { Environment.system.now().milliseconds }
            } catch {
                throw Failure("\(settings.redis.endpoint): \(error)")
            }
            let findings = state.findings(
                for: RedisExpectation(
                    shards: settings.shards,
                    replicasBeforeAnswer: settings.redis.replicaConfirmation?.replicas ?? 0
                )
            )
            for finding in findings {
                say("\(finding.gravity.label)\(finding.subject): \(finding.text)")
                if let remedy = finding.remedy { say("        → \(remedy)") }
            }
            guard !findings.contains(where: { $0.gravity == .grave }) else { Glibc.exit(1) }
        }
    }
}

extension RedisFinding.Gravity {
    fileprivate var label: String {
        switch self {
        case .fine: "ok      "
        case .advice: "advice  "
        case .unknown: "unknown "
        case .grave: "GRAVE   "
        }
    }
}
