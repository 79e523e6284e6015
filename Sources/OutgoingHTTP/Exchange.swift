internal import Synchronization

/// A request on its way through the event loop.
struct Exchange: Sendable {
    typealias ID = UInt64
    typealias Outcome = Result<HTTPAnswer, RequestFailure>

    let id: ID
    let request: HTTPRequest
    let settings: ClientSettings
    let deadline: ContinuousClock.Instant
    /// Takes the outcome. It is called once, mostly on the loop's thread, and must not block.
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

    /// Returns a number that no other exchange of the process has.
    static func newID() -> ID { lastID.add(1, ordering: .relaxed).newValue }
}
