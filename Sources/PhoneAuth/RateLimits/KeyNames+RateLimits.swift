internal import RedisScripts

extension KeyNames {
    /// Marks an event as counted in rate limits.
    static func countedEvent(_ id: String, of project: String) -> String { ofProject(project, "counted", id) }
}
