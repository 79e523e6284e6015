import PhoneAuth
import Redis

extension ProjectOptions {
    /// The project, and for each thread what works on it: with patience for answers to many commands at once.
    func openForThreads() throws -> (authenticator: @Sendable () -> Authenticator, project: Project) {
        var settings = try settings.load()
        settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
        let keys = try settings.loadKeys()
        return ({ [settings] in settings.authenticator(keys) }, try settings.project(project))
    }
}
