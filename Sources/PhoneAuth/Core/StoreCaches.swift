internal import RedisStore
internal import Synchronization
internal import Threads

/// The values from the store that every request needs and that rarely change. A process needs one instance.
public final class StoreCaches: Sendable {
    /// How soon requests see a change.
    public enum Consistency: Hashable, Sendable {
        /// Within a second, and within three seconds if the store is slow.
        case eventual
        /// Before the change is acknowledged: no value that was read longer than `lifetime` ago is used.
        case immediate(lifetime: Duration)

        /// For test suites of the reference emulator, which change the configuration and then call an operation
        /// immediately.
        public static let ofDevelopment = immediate(lifetime: .milliseconds(100))
    }

    /// The maximum age of a value that is used. A move of the index key waits for this time.
    static let maximumAge: Duration = .seconds(3)

    /// Which index key is current.
    let indexKeyState: StoreCache<IndexKeyState>
    /// Whether the store has no room for new accounts.
    let isMemoryNearlyFull: StoreCache<Bool>
    /// The backlog of each outbox, for metrics: read at most once in five seconds.
    let backlogs: StoreCache<[Outbox: OutboxBacklog]> = StoreCache(lifetime: .seconds(5), maximumAge: .seconds(10))
    private let projects = Mutex<[String: StoreCache<ProjectSettings>]>([:])
    private let consistency: Consistency

    /// Creates empty caches.
    public init(_ consistency: Consistency) {
        self.consistency = consistency
        indexKeyState = Self.cache(consistency)
        isMemoryNearlyFull = Self.cache(consistency)
    }

    /// Returns the cache of a project's settings. Only configured projects have a cache, so the number of caches is
    /// bounded.
    func settings(of project: Project) -> StoreCache<ProjectSettings> {
        projects.withLock { projects in
            if let known = projects[project.id] { return known }
            let new: StoreCache<ProjectSettings> = Self.cache(consistency)
            projects[project.id] = new
            return new
        }
    }

    /// Waits until requests to all workers see a change that is in the store. Returns at once if consistency is
    /// eventual.
    func waitUntilVisible() {
        guard case .immediate(let lifetime) = consistency else { return }
        ActiveThreads.sleep(for: lifetime)
    }

    private static func cache<Value: Sendable>(_ consistency: Consistency) -> StoreCache<Value> {
        switch consistency {
        case .eventual: StoreCache(lifetime: .seconds(1), maximumAge: maximumAge)
        case .immediate(let lifetime): StoreCache(lifetime: lifetime, maximumAge: lifetime)
        }
    }
}

extension Policy {
    /// How soon requests see a change of the settings.
    public var consistency: StoreCaches.Consistency {
        development == nil ? .eventual : .ofDevelopment
    }
}
