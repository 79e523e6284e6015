import Logging
import Metrics
import PhoneAuth
import RedisStore

extension Settings {
    /// Shares this process's metrics with the other processes of the machine. If that fails, the process continues
    /// without: metrics must never prevent anyone from signing in.
    /// - Returns: the folder; nil if metrics are not shared.
    func shareMetrics(as role: String, _ logger: Logger) -> MetricsFolder? {
        MetricFamily.processStarts.count(role)
        for scope in [RateLimit.Scope.project, .deployment] {
            MetricFamily.rateLimitsExceeded.count(RateLimit.Event.messages.rawValue, scope.name, by: 0)
        }
        for project in projects { MetricFamily.messages.count(project.id, MessageEvent.dead.rawValue, "none", by: 0) }
        guard let metricsFolder else { return nil }
        do {
            let folder = try MetricsFolder(path: metricsFolder)
            try MetricRegistry.process.share(in: folder, role: role, version: Version.text)
            return folder
        } catch {
            logger.error("metrics are not shared", metadata: ["detail": "\(error)"])
            return nil
        }
    }
}
