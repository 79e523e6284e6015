internal import PhoneAuth
internal import RedisStore

/// One connection to the outbox of silent pushes, for one dispatcher.
actor PushOutbox {
    private let executor: BlockingExecutor
    private let authenticator: Authenticator
    private let dispatcher: String

    /// `connect` makes what belongs to this outbox alone.
    init(name: String, dispatcher: String, connect: @Sendable () -> Authenticator) {
        executor = BlockingExecutor(name: name)
        authenticator = connect()
        self.dispatcher = dispatcher
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func prepare() throws(StoreUnavailable) {
        try authenticator.preparePushOutbox()
    }

    func take(wait: Duration) throws(StoreUnavailable) -> [PendingPush] {
        try authenticator.takePushes(for: dispatcher, wait: wait)
    }

    /// Keeps what is held, and takes what others no longer keep.
    func inherit(holding held: [PendingPush], untouchedFor time: Duration) throws(StoreUnavailable) -> [PendingPush] {
        try authenticator.touch(held, for: dispatcher)
        return try authenticator.takeAbandonedPushes(for: dispatcher, untouchedFor: time)
    }

    func finish(_ push: PendingPush, _ result: PushResult) throws(StoreUnavailable) {
        try authenticator.finish(push, result)
    }

    func leave() throws(StoreUnavailable) {
        try authenticator.leavePushOutbox(dispatcher)
    }
}
