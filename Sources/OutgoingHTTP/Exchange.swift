internal import Synchronization

/// A request in the event loop.
struct Exchange: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPAnswer, RequestFailure>

    let id: ID
    let request: HTTPRequest
    let settings: ClientSettings
    let deadline: ContinuousClock.Instant
    /// Receives the outcome. Called once, usually on the loop's thread; must not block.
    let finish: @Sendable (Outcome) -> Void

    init(
        _ id: ID,
        _ request: HTTPRequest,
        _ settings: ClientSettings,
        within deadline: Duration,
        finish: @escaping @Sendable (Outcome) -> Void
    ) {
        self.id = id
        self.request = request
        self.settings = settings
        self.deadline = .now + deadline
        self.finish = finish
    }

    private static let lastID = Atomic<ID>(0)

    /// Returns an id that is unique in the process.
    static func newID() -> ID { lastID.add(1, ordering: .relaxed).newValue }
}
