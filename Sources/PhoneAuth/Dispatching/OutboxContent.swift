internal import Encodings
public import RedisStore

/// What a dispatcher takes from an outbox, opened: with the secrets that Redis does not hold.
public protocol OutboxContent: Sendable {
    /// Where it lies.
    static var outbox: Outbox { get }
    /// Opens an item; nil for what this deployment's keys do not open.
    init?(_ item: OutboxItem, _ authenticator: Authenticator)
    /// Whether an item was sealed by a key that is not known here: a key file that was read later may have it.
    static func isSealedByUnknownKey(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool
    /// What it was read from.
    var item: OutboxItem { get }
    /// When it is of no use any more.
    var expiresAt: Instant { get }
}

/// The dispatcher's side of the outboxes.
extension Authenticator {
    /// Makes an outbox ready for dispatchers.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func prepare(_ outbox: Outbox) throws(StoreUnavailable) {
        try store.prepare(outbox)
    }

    /// Waits a while for what no dispatcher has, and takes some of it.
    /// - Throws: ``StoreUnavailable``.
    public func take<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        wait: Duration
    ) throws(StoreUnavailable) -> [Content] {
        try open(
            try store.take(
                from: type.outbox,
                for: dispatcher,
                atMost: Self.maximumTaken,
                waitMilliseconds: wait.milliseconds
            )
        )
    }

    /// Takes over what a dispatcher has not touched for a while, because it died.
    /// - Throws: ``StoreUnavailable``.
    public func takeAbandoned<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        untouchedFor time: Duration
    ) throws(StoreUnavailable) -> [Content] {
        try open(
            try store.takeAbandoned(
                from: type.outbox,
                for: dispatcher,
                atMost: Self.maximumTaken,
                idleMilliseconds: time.milliseconds
            )
        )
    }

    /// Lets contents that a dispatcher holds wait in their outbox, where they take up no room at any dispatcher.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func postpone(
        _ contents: [(content: some OutboxContent, Postponement)],
        for dispatcher: String
    ) throws(StoreUnavailable) {
        try store.postpone(contents.map { ($0.item, $1) }, for: dispatcher)
    }

    /// Takes what has waited long enough and has somewhere to go.
    /// - Throws: ``StoreUnavailable``.
    public func takeWaiting<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        room: [String: DestinationRoom]
    ) throws(StoreUnavailable) -> [Content] {
        try open(
            try store.takeWaiting(
                from: type.outbox,
                for: dispatcher,
                room: room,
                now: environment.now().milliseconds
            )
        )
    }

    /// Says that these are still being worked on.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func touch(_ contents: [some OutboxContent], for dispatcher: String) throws(StoreUnavailable) {
        try store.touch(contents.map(\.item), for: dispatcher)
    }

    /// Leaves an outbox. What Redis still counts as the dispatcher's is left for another one.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func leave(_ outbox: Outbox, _ dispatcher: String) throws(StoreUnavailable) {
        try store.leave(outbox, dispatcher)
    }

    /// How much waits or is being sent.
    /// - Throws: ``StoreUnavailable``.
    public func count(of outbox: Outbox) throws(StoreUnavailable) -> Int {
        try store.count(of: outbox)
    }

    /// Of each shard at a time.
    private static let maximumTaken = 16

    private func open<Content: OutboxContent>(_ items: [OutboxItem]) throws(StoreUnavailable) -> [Content] {
        var contents: [Content] = []
        for item in items {
            if let content = Content(item, self) {
                contents.append(content)
            } else if !Content.isSealedByUnknownKey(item, self) {
                // Nobody will ever understand it. Others are left to a dispatcher that has the key, until their time is
                // up.
                try store.discard(item)
            }
        }
        return contents
    }
}
