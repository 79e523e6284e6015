import PhoneAuth
import Redis

extension ProjectOptions {
    /// Returns the project, and an authenticator for each thread. Commands are pipelined, so the command time-out is
    /// raised.
    func openForThreads() throws -> (authenticator: @Sendable () -> Authenticator, project: Project) {
        var settings = try settings.load()
        settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
        let keys = try settings.loadKeys()
        return ({ [settings] in settings.authenticator(keys) }, try settings.project(project))
    }
}
