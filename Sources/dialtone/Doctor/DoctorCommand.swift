import ArgumentParser
import Delivery
import Encodings
import Glibc
import PhoneAuth
import PhoneNumbers
import RedisScripts

/// `dialtone doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine the whole deployment; print what is wrong, why it matters, and how to fix it.",
        discussion: """
            Examines the settings and their files, Redis with its replicas and Sentinels, dispatchers, SMS gateways, \
            push notifications, nginx, systemd and the clock, as far as they are on this machine. Changes nothing, and \
            sends no message. Run it as root, which may read everything. Exits with status 1 if users are or will be \
            refused, or if accounts or secrets are or will be lost.

            Connects to Redis as the user in the settings. If this user lacks permission for a check, set \
            DIALTONE_REDIS_USER and DIALTONE_REDIS_PASSWORD in the environment to those of an administrator; if the \
            address in the settings contains a user or a password, set DIALTONE_REDIS_ADDRESS instead.

            A push to a device that does not exist shows whether Apple accepts an app's key, team and topic, as far as \
            Apple checks them before the device token. With --device-token, the device gets a silent push.

            \(ReportOptions.help(Checkup.AreaFinding.self))
            """
    )

    @OptionGroup var settings: SettingsOptions
    @Flag(help: "Also print what is right.") var all = false
    @OptionGroup var report: ReportOptions
    @Option(
        help: "A device token in hexadecimal, for a silent push.",
        transform: { text in
            guard let device = DeviceToken(hexadecimal: text) else {
                throw ValidationError("not an even number of hexadecimal digits")
            }
            return device
        }
    )
    var deviceToken: DeviceToken?
    @Option(help: "The only app to push to, by its name in the settings.") var app: String?

    func run() throws {
        let source = try SettingsSource(file: settings.file)
        let now = Environment.system.now()
        var checkup = Checkup()
        checkup.add("settings", SettingsChecks.findings(source))
        checkup.add("files", FileChecks.findings(source, at: now))
        let valid: (settings: Settings, keys: ServerKeys)?
        do throws(Failure) {
            valid = try Settings.checkingStart(source)
        } catch {
            valid = nil
            let text = "workers and dispatchers do not start: "
            checkup.add("start", error.lines.map { Finding(.critical, "settings", text + $0) })
        }
        let known = valid?.settings ?? (try? Settings(source))
        if let (settings, keys) = valid {
            checkup.add("settings", SettingsChecks.findings(settings))
            checkup.add("files", FileChecks.credentialFindings(settings) + [Self.numberingData(settings, at: now)])
            RedisChecks(settings: settings, keys: keys).examine(&checkup)
            checkup.add("gateways", GatewayChecks.findings(settings))
            let pushes = PushChecks(settings: settings, keys: keys, device: deviceToken, app: app)
            checkup.add("APNs", try pushes.findings())
        }
        checkup.add("nginx", NginxChecks.findings(known, at: now))
        checkup.add("systemd", SystemdChecks.findings(known))
        checkup.add("clock", ClockChecks.findings())
        for finding in checkup.findings { report.print(finding, []) }
        for line in checkup.lines(all: all) { report.printTitle(line) }
        guard !checkup.hasErrors else { Glibc.exit(1) }
    }

    private static func numberingData(_ settings: Settings, at now: Instant) -> Finding {
        let data = settings.phoneNumbers.data
        let title = "\(data.title) (\(settings.numberingSource))"
        guard let reminder = data.reminder(at: now) else { return .fine("numbering data", title) }
        return Finding(.advice, "numbering data", reminder)
    }
}
