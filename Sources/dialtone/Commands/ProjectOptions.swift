import ArgumentParser
import Passwords
import PhoneAuth
import Redis

/// The project and the deployment that a command works on.
struct ProjectOptions: ParsableArguments {
    @OptionGroup var settings: SettingsOptions
    @Option(help: "The project id; optional if there is only one.") var project: String?

    func open() throws -> OperationContext {
        let settings = try settings.load()
        let project = try settings.project(project)
        let authenticator = settings.authenticator(try settings.loadKeys())
        do throws(StoreUnavailable) {
            try authenticator.beginWork()
        } catch {
            throw Failure("\(error)")
        }
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
