import ArgumentParser
import Delivery
import Encodings
import Glibc
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts

/// `dialtone doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose Redis and push notifications.",
        subcommands: [Redis.self, APNs.self],
        defaultSubcommand: Redis.self
    )
}

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

extension DoctorCommand {
    /// `dialtone doctor apns`.
    struct APNs: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apns",
            abstract:
                "Check each app's credential with Apple's push service (APNs), and count returned push receipts.",
            discussion: """
                Without --device-token, the push goes to a device that does not exist: the response shows whether \
                Apple accepts the key, the team and the topic, as far as Apple checks them before the device token. \
                With --device-token, the device gets a silent push.
                """
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The app's name in the settings. Default: every app that has an APNs credential.") var app:
            String?
        @Option(help: "A device token in hexadecimal.") var deviceToken: String?

        func run() throws {
            let settings = try options.settings.load()
            let device = try deviceToken.map(Self.device)
            let chosen = settings.apnsCredentials.filter { project, app, _ in
                (options.project == nil || options.project == project.id) && (self.app == nil || self.app == app.name)
            }
            guard !chosen.isEmpty else {
                throw Failure(
                    app.map { "\"\($0)\": no such app with an APNs credential" } ?? "no app has an APNs credential"
                )
            }
            let client = try settings.apnsClient()
            let authenticator = settings.authenticator(try settings.loadKeys())
            let counts = try chosen.map { project, app, _ in try Self.returns(of: app, in: project, authenticator) }
            var isHealthy = true
            for ((_, app, setting), counts) in zip(chosen, counts) {
                let credential = try settings.loadCredential(setting)
                let diagnosis = waitFor { await client.diagnose(credential, topic: app.bundleID, deviceToken: device) }
                isHealthy = isHealthy && diagnosis.isHealthy
                printLine("\(app.name) (\(app.bundleID)): \(diagnosis.line)")
                for line in counts { printLine("  \(line)") }
            }
            waitFor { await client.shutDown() }
            guard isHealthy else { Glibc.exit(1) }
        }

        private static func device(_ text: String) throws(Failure) -> DeviceToken {
            guard let device = DeviceToken(hexadecimal: text) else {
                throw Failure("--device-token \"\(text)\": not an even number of hexadecimal digits")
            }
            return device
        }

        /// Returns one line for each environment that had pushes in the last seven days.
        private static func returns(
            of app: RegisteredApp,
            in project: Project,
            _ authenticator: Authenticator
        ) throws(Failure) -> [String] {
            let counts: [PushCount]
            do {
                counts = try authenticator.operation(in: project).pushCounts(days: 7)
                    .filter { $0.bundleID == app.bundleID.text }
            } catch {
                throw Failure("\(error)")
            }
            return PushEnvironment.allCases.compactMap { environment in
                func count(_ event: PushEvent) -> Int64 {
                    counts.first { $0.environment == environment && $0.event == event }?.count ?? 0
                }
                let (sent, returned, failed) = (count(.sent), count(.returned), count(.failed))
                guard sent + returned + failed > 0 else { return nil }
                let share = sent > 0 ? " (\(returned * 100 / sent) %)" : ""
                return
                    "\(environment.rawValue), last 7 days: \(sent) pushes sent, \(returned) receipts returned\(share), "
                    + "\(failed) not delivered"
            }
        }
    }
}
