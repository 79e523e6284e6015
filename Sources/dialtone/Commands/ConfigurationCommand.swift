import ArgumentParser
import Glibc
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts

/// `dialtone config`.
struct ConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the settings, print an example, and show or discard changes made through the admin interface.",
        subcommands: [Check.self, Example.self, Show.self, Reset.self]
    )

    /// `dialtone config check`: runs the checks of a worker's and a dispatcher's start without starting them, except
    /// that of APNs credentials (`dialtone doctor`).
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the settings and the files that they name; report errors and risky defaults.",
            discussion: ReportOptions.help(Fact.self)
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        /// Returns reminders about defaults that the operator should decide on.
        static func reminders(of project: Project) -> [String] {
            var reminders: [String] = []
            let prefix = SettingName.project(project.id)
            let regions = ProjectValues.name(of: \.allowedRegions, prefix: prefix)
            if project.isPhoneSignInEnabled, project.smsRegions == .everywhere {
                reminders.append("\(project.id) sends to every region: \(regions) can limit it to your users' regions")
            }
            let unassigned = ProjectValues.name(of: \.unassignedNumbers, prefix: prefix)
            if project.isPhoneSignInEnabled, project.unassignedNumbers == .allowed {
                reminders.append(
                    "\(project.id) sends to numbers that are not in the numbering data: "
                        + "\(unassigned)=challenged bounds what SMS pumping can spend on them"
                )
            }
            return reminders
        }

        /// Returns a reminder if others on the network could read and change the traffic between Redis and workers.
        static func reminders(of redis: ConnectionConfiguration) -> [String] {
            guard redis.tls == nil, !redis.servers.isLocal else { return [] }
            let setting = DeploymentValues.name(of: \.redis.address)
            return ["Redis is used without TLS: if its network is not private, use \(setting)=rediss://…"]
        }

        /// Returns reminders about rate limits that a single attacker could exhaust for all users.
        static func reminders(of policy: Policy) -> [String] {
            var reminders: [String] = []
            let wrongPasswords = policy.wrongPasswordLimits
            let wanted = wrongPasswords.perEmailAndNetworkPerDayUnbounded
            if wanted > wrongPasswords.largestShareOfNetwork {
                let setting = DeploymentValues.name(of: \.policy.wrongPasswordsPerEmailAndNetworkPerHour)
                reminders.append(
                    "\(setting)=\(wrongPasswords.perEmailAndNetworkPerHour): in 24 hours an IPv4 address or IPv6 /48 "
                        + "gets \(wrongPasswords.largestShareOfNetwork) wrong passwords per e-mail address, "
                        + "not \(wanted): the rest of the "
                        + "\(wrongPasswords.perEmailForUnknownNetworks) for unknown networks is reserved for others"
                )
            }
            return reminders
        }

        /// Returns what the rate limits of all projects together allow and may cost in a day.
        static func messages(of projects: [Project], _ policy: Policy) -> String {
            guard let perDay = policy.messagesPerDay(of: projects) else {
                return "without a limit per project, so they may cost any amount"
            }
            let cost =
                perDay.cost.map { "may cost \($0) at the highest price of a region" }
                ?? "cost an unknown amount: no gateway has prices"
            return "at most \(perDay.count) in 24 hours on average, which \(cost)"
        }

        func run() throws {
            let (settings, keys) = try Settings.checkingStart(SettingsSource(file: settings.file))
            report.printFact("projects", settings.projects.map(\.id).joined(separator: ", "))
            report.printFact("listens on", "\(settings.listen)")
            report.printFact("Redis", "\(settings.redis)")
            report.printFact("deployment", DeploymentMarks.fingerprint(keys.deploymentMarks.keys))
            do throws(StoreUnavailable) {
                if let mismatch = try settings.deploymentMismatch(keys) {
                    report.printFact("consider", "this Redis \(mismatch); until then no worker starts")
                }
            } catch {
                report.printFact("consider", "Redis was not asked whose it is: \(error)")
            }
            let signingKeys = keys.signingKeys.current
            let signing = signingKeys.signing(at: Environment.system.now())
            report.printFact("signs with", "\(signing.id) (\(signingKeys.published.count) keys published)")
            let data = settings.phoneNumbers.data
            report.printFact("numbering", "\(data.title) (\(settings.numberingSource))")
            report.printFact("messages", Self.messages(of: settings.projects, settings.policy))
            if let reminder = data.reminder(at: Environment.system.now()) { report.printFact("consider", reminder) }
            for reminder in Self.reminders(of: settings.redis) { report.printFact("consider", reminder) }
            for reminder in Self.reminders(of: settings.policy) { report.printFact("consider", reminder) }
            for project in settings.projects {
                for reminder in Self.reminders(of: project) { report.printFact("consider", reminder) }
            }
        }
    }

    /// `dialtone config example`: every setting with its description and default.
    struct Example: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a settings file that describes every setting, with its default or an example."
        )

        func run() {
            printText(String(SettingsExample.text.dropLast()))
        }
    }
}

extension ConfigurationCommand {
    /// `dialtone config show`: the changes that operators made over the admin interface.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the settings of a project that were changed through the admin interface.",
            discussion: ReportOptions.help(Fact.self)
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let operation = try options.open()
            for path in try operation.configuration().changedPaths {
                report.print(Fact(name: "changed", value: path), [path])
            }
        }
    }

    /// `dialtone config reset`: discards these changes, so that the settings apply again.
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discard a project's changes made through the admin interface, except test numbers.",
            discussion: "Workers use the settings again within a second."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            let operation = try options.open()
            try confirmation.ask("Discard these changes of \(operation.project.id)?")
            try Failure.wrapping(operation.resetConfiguration())
        }
    }
}
