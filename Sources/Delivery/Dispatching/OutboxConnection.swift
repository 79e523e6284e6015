internal import PhoneAuth
internal import Threads

/// One dispatcher's connection to an outbox. Its calls block on Redis and run one at a time.
actor OutboxConnection<Content: OutboxContent> {
    private let executor: BlockingExecutor
    private let authenticator: Authenticator
    private let dispatcher: String

    /// Creates a connection. `connect` creates an authenticator that only this connection uses.
    init(name: String, dispatcher: String, connect: @Sendable () -> Authenticator) {
        executor = BlockingExecutor(name: name)
        authenticator = connect()
        self.dispatcher = dispatcher
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func prepare() throws(StoreUnavailable) {
        try authenticator.prepare(Content.outbox)
    }

    func take(wait: Duration) throws(StoreUnavailable) -> [Content] {
        try authenticator.take(Content.self, for: dispatcher, wait: wait)
    }

    /// Takes items that are due and whose destination has room. Also returns the time until the next item is due.
    func takeWaiting(
        room: [String: DestinationRoom]
    ) throws(StoreUnavailable) -> (contents: [Content], next: Duration?) {
        try authenticator.takeWaiting(Content.self, for: dispatcher, room: room)
    }

    /// Returns items that this dispatcher holds to the outbox, where they wait.
    func postpone(_ contents: [(content: Content, Postponement)]) throws(StoreUnavailable) {
        try authenticator.postpone(contents, for: dispatcher)
    }

    /// Renews this dispatcher's hold on its items.
    func touch(_ held: [Content]) throws(StoreUnavailable) {
        try authenticator.touch(held, for: dispatcher)
    }

    /// Takes items again that were lost on the way to this dispatcher. It `held` the others before the call.
    func retake(except held: [Content]) throws(StoreUnavailable) -> [Content] {
        try authenticator.retake(Content.self, for: dispatcher, except: held)
    }

    /// Takes over items that other dispatchers have abandoned.
    func takeAbandoned(untouchedFor time: Duration) throws(StoreUnavailable) -> [Content] {
        try authenticator.takeAbandoned(Content.self, for: dispatcher, untouchedFor: time)
    }

    func leave() throws(StoreUnavailable) {
        try authenticator.leave(Content.outbox, dispatcher)
    }

    /// Runs an operation of the domain, in order with the connection's other calls.
    func run<Value: Sendable>(
        _ operation: @Sendable (Authenticator) throws(StoreUnavailable) -> Value
    ) throws(StoreUnavailable) -> Value {
        try authenticator.checkDeployment()
        return try operation(authenticator)
    }
}
