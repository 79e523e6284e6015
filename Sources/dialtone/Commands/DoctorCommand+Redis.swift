import ArgumentParser
import Encodings
import Glibc
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts

extension DoctorCommand {
    /// `dialtone doctor redis`.
    struct Redis: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redis",
            abstract:
                "Check whether Redis is this deployment's and can lose accounts; print what is wrong, why it matters, and how to fix it.",
            discussion: """
                Examines the master or all masters of a cluster, their replicas and the Sentinels. Connects as the \
                user in the settings, and changes nothing. If this user lacks permission for a check, set \
                DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment to those of an administrator; if \
                the address in the settings contains a user or a password, set DIALTONE_REDIS_ADDRESS instead. \
                Exits with status 1 if accounts are or will be lost, or if workers cannot serve requests.
                """
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let expectation = RedisExpectation(
                shards: settings.shards,
                marks: try settings.loadKeys().deploymentMarks,
                replicasBeforeAnswer: settings.redis.replicaConfirmation?.replicas ?? 0
            )
            let diagnosis: RedisDiagnosis
            do {
                diagnosis = try RedisDiagnosis.examine(settings.redis, for: expectation) {
                    Environment.system.now().milliseconds
                }
            } catch {
                throw Failure("\(settings.redis.servers): \(error)")
            }
            for (index, section) in diagnosis.sections.enumerated() {
                if index > 0 { printLine("") }
                if diagnosis.sections.count > 1 { printLine(section.title) }
                for finding in section.findings {
                    printLine("\(finding.severity.label)\(finding.subject): \(finding.text)")
                    if let remedy = finding.remedy { printLine("        → \(remedy)") }
                }
            }
            let data = settings.phoneNumbers.data
            let reminder = data.reminder(at: Environment.system.now())
            let severity = reminder == nil ? RedisFinding.Severity.fine : .advice
            printLine("\(severity.label)numbering data: \(reminder ?? "\(data.title) (\(settings.numberingSource))")")
            guard !diagnosis.isCritical else { Glibc.exit(1) }
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
