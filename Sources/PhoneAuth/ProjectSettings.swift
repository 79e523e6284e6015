internal import RedisStore
internal import Synchronization

/// What may change of a project while workers run. All requests of a second share one.
final class ProjectSettings: Sendable {
    /// The project with what operators changed of it.
    let project: Project
    /// Test numbers in E.164 form, with the codes that the operator fixed for them.
    let testNumbers: [String: VerificationCode]
    /// For each bundle id: push receipts issued before this time are revoked; milliseconds since the Unix epoch.
    let revokedReceipts: [String: Int64]
    /// For each bundle id: until when APNs is expected to refuse its pushes; milliseconds since the Unix epoch.
    let refusedPushes: [String: Int64]

    init(
        project: Project,
        testNumbers: [String: VerificationCode],
        revokedReceipts: [String: Int64],
        refusedPushes: [String: Int64]
    ) {
        self.project = project
        self.testNumbers = testNumbers
        self.revokedReceipts = revokedReceipts
        self.refusedPushes = refusedPushes
    }
}

/// The settings of all projects, read again when they are a second old: so a change reaches every worker within a second,
/// and the store is asked once a second and process, not once a request.
public final class ProjectSettingsCache: Sendable {
    private struct Entry {
        var settings: ProjectSettings
        var freshUntil: ContinuousClock.Instant
    }

    /// What is read as often of the store itself.
    let memory: StoreMemory
    private let entries = Mutex<[String: Entry]>([:])
    private let lifetime: Duration

    /// - Parameter lifetime: how old settings may be before they are read again.
    public init(lifetime: Duration = .seconds(1)) {
        self.lifetime = lifetime
        memory = StoreMemory(lifetime: lifetime)
    }

    func settings(of project: Project, from authenticator: Authenticator) throws(StoreUnavailable) -> ProjectSettings {
        let now = ContinuousClock.now
        let known = entries.withLock { entries -> ProjectSettings? in
            guard let entry = entries[project.id] else { return nil }
            if now < entry.freshUntil { return entry.settings }
            // One thread reads them anew; the others go on with what is there.
            entries[project.id]?.freshUntil = now + lifetime
            return nil
        }
        if let known { return known }
        do {
            let settings = ProjectSettings(
                project: try authenticator.configuration(of: project).project,
                testNumbers: try authenticator.testNumbers(of: project),
                revokedReceipts: try authenticator.store.revokedPushReceipts(of: project.id),
                refusedPushes: try authenticator.store.refusedPushes(of: project.id)
            )
            entries.withLock { $0[project.id] = Entry(settings: settings, freshUntil: ContinuousClock.now + lifetime) }
            return settings
        } catch {
            entries.withLock { $0[project.id] = nil }
            throw error
        }
    }
}
