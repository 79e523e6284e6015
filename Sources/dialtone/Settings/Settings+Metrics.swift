import Logging
import Metrics
import PhoneAuth
import RedisScripts

extension Settings {
    /// Shares this process's metrics with the other processes of the machine. If that fails, the process continues
    /// without: metrics must never prevent anyone from signing in.
    /// - Returns: the folder; nil if metrics are not shared.
    func shareMetrics(as role: String, _ logger: Logger) -> MetricsFolder? {
        MetricFamily.processStarts.count(role)
        // Prometheus's increase() misses an event that begins its series, so the series of alerts on single events
        // begin at 0. These are all limits that are shared (RateLimit.Scope.isShared).
        let sharedLimits: [(RateLimit.Event, RateLimit.Scope)] = [
            (.messages, .project), (.signUps, .project), (.customTokenSignUps, .project),
        ]
        for (event, scope) in sharedLimits {
            MetricFamily.rateLimitsExceeded.count(event.rawValue, scope.name, by: 0)
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
