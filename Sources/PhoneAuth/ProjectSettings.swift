internal import Encodings
internal import Glibc
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

/// The settings of all projects, read again when they reach a certain age: so a change reaches every worker within that
/// time, and the store is asked once in that time and process, not once a request.
public final class ProjectSettingsCache: Sendable {
    /// When requests follow a change of the settings.
    public enum Consistency: Hashable, Sendable {
        /// Within a second. While one thread reads the settings, the others use the previous ones.
        case eventual
        /// Before the change is answered: no settings are used that were read longer than `lifetime` ago.
        case immediate(lifetime: Duration)

        /// Test suites for the reference emulator change the configuration and call an operation at once.
        public static let ofDevelopment = immediate(lifetime: .milliseconds(100))

        fileprivate var lifetime: Duration {
            switch self {
            case .eventual: .seconds(1)
            case .immediate(let lifetime): lifetime
            }
        }
    }

    private struct Entry {
        var settings: ProjectSettings
        var freshUntil: ContinuousClock.Instant
    }

    let memory = StoreMemory()
    let indexKeyState: IndexKeyStateCache
    private let entries = Mutex<[String: Entry]>([:])
    private let consistency: Consistency

    /// An empty cache.
    public init(_ consistency: Consistency) {
        self.consistency = consistency
        indexKeyState = IndexKeyStateCache(lifetime: consistency.lifetime)
    }

    /// Returns when requests of all workers follow a change that the store has, unless they may do so later.
    func waitUntilFollowed() {
        guard case .immediate(let lifetime) = consistency else { return }
        usleep(UInt32(lifetime.milliseconds) * 1000)
    }

    func settings(of project: Project, from authenticator: Authenticator) throws(StoreUnavailable) -> ProjectSettings {
        let now = ContinuousClock.now
        let known = entries.withLock { entries -> ProjectSettings? in
            guard let entry = entries[project.id] else { return nil }
            if now < entry.freshUntil { return entry.settings }
            if consistency == .eventual { entries[project.id]?.freshUntil = now + consistency.lifetime }
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
            entries.withLock { $0[project.id] = Entry(settings: settings, freshUntil: now + consistency.lifetime) }
            return settings
        } catch {
            entries.withLock { $0[project.id] = nil }
            throw error
        }
    }
}
