import ArgumentParser
import Glibc
import Passwords
import PhoneAuth
import Redis
import RedisScripts

/// The project and the deployment that a command works on.
struct ProjectOptions: ParsableArguments {
    @OptionGroup var settings: SettingsOptions
    @Option(help: "The project id; optional if there is only one.") var project: String?

    func open() throws -> OperationContext {
        let settings = try settings.load()
        let project = try settings.project(project)
        let authenticator = settings.authenticator(try settings.loadKeys())
        try authenticator.beginWork()
        return authenticator.operation(in: project)
    }
}

extension ProjectOptions {
    /// Returns the project, and a function that creates an authenticator for a thread. Commands are pipelined, so the
    /// command timeout is raised.
    func openForThreads(
        passwordHashing: PasswordHashing? = nil
    ) throws -> (authenticator: @Sendable () -> Authenticator, project: Project) {
        var settings = try settings.load()
        settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
        let keys = try settings.loadKeys()
        let project = try settings.project(project)
        return ({ [settings] in settings.authenticator(keys, passwordHashing: passwordHashing) }, project)
    }
}

/// The source of a command's settings.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help:
            "The settings file: lines of the form DIALTONE_NAME=value. Environment variables take precedence. Default: \(standardFile), if it exists.",
        completion: .file()
    )
    private var chosenFile: String?

    private static let standardFile = "/etc/dialtone/dialtone.conf"

    /// The settings file; nil if there are only environment variables.
    var file: String? { chosenFile ?? (access(Self.standardFile, F_OK) == 0 ? Self.standardFile : nil) }

    func load() throws -> Settings {
        let settings = try Settings(SettingsSource(file: file))
        try settings.loadNumberingData()
        return settings
    }
}

/// Parses an option whose value is one of a few words.
/// - Throws: `ValidationError` that lists the words.
func oneOf<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
        throw ValidationError("use one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
}

extension Authenticator {
    /// Prepares a command's next unit of work. A deadline permits Redis calls to be repeated.
    func beginWork() throws(StoreUnavailable) {
        setDeadline(.now + .seconds(10))
        try checkDeployment()
    }
}
