internal import PhoneAuth
internal import RedisStore

/// One connection to an outbox, for one dispatcher. Its calls wait for Redis, each for the one before it.
actor OutboxConnection<Content: OutboxContent> {
    private let executor: BlockingExecutor
    private var authenticator: Authenticator
    private let dispatcher: String

    /// `connect` makes what belongs to this connection alone.
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

    /// Takes what has waited long enough and has somewhere to go.
    func takeWaiting(room: [String: DestinationRoom]) throws(StoreUnavailable) -> [Content] {
        try authenticator.takeWaiting(Content.self, for: dispatcher, room: room)
    }

    /// Lets contents that this dispatcher holds wait in the outbox.
    func postpone(_ contents: [(content: Content, Postponement)]) throws(StoreUnavailable) {
        try authenticator.postpone(contents, for: dispatcher)
    }

    /// Keeps what is held, and takes what others no longer keep.
    func inherit(holding held: [Content], untouchedFor time: Duration) throws(StoreUnavailable) -> [Content] {
        try authenticator.touch(held, for: dispatcher)
        return try authenticator.takeAbandoned(Content.self, for: dispatcher, untouchedFor: time)
    }

    func leave() throws(StoreUnavailable) {
        try authenticator.leave(Content.outbox, dispatcher)
    }

    /// Runs an operation of the domain in its turn.
    ///
    /// During a move between index keys it goes on under the former key: what a dispatcher counts under it is not worth
    /// holding up what was sent.
    func run<Value: Sendable>(
        _ operation: @Sendable (Authenticator) throws(StoreUnavailable) -> Value
    ) throws(StoreUnavailable) -> Value {
        do {
            try authenticator.useIndexKeyInForce(duringMove: .underFormerKey)
        } catch {
            throw error.unavailability
        }
        return try operation(authenticator)
    }
}
