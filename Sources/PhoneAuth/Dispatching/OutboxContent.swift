public import Encodings
public import RedisScripts

/// The opened content of an outbox item, with the secrets that Redis does not store.
public protocol OutboxContent: Sendable {
    /// The outbox of this type of content.
    static var outbox: Outbox { get }
    /// Opens an item; nil if its format is unknown or no data key opens it.
    init?(_ item: OutboxItem, _ authenticator: Authenticator)
    /// Returns whether another dispatcher may open an item that this one cannot: the item has the format of a newer
    /// version, or was sealed with a key of a newer key file.
    static func mayOpenElsewhere(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool
    /// The item from which it was read.
    var item: OutboxItem { get }
    /// When the content expires.
    var expiresAt: Instant { get }
}

/// The dispatcher's side of the outboxes.
extension Authenticator {
    /// Prepares an outbox for dispatchers.
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func prepare(_ outbox: Outbox) throws(StoreUnavailable) {
        try store.prepare(outbox)
    }

    /// Waits at most `wait` for items that no dispatcher holds, and takes some of them.
    /// - Throws: ``StoreUnavailable``.
    public func take<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        wait: Duration
    ) throws(StoreUnavailable) -> [Content] {
        open(
            try store.take(
                from: type.outbox,
                for: dispatcher,
                atMost: Self.maximumTaken,
                waitMilliseconds: wait.milliseconds
            )
        )
    }

    /// Returns items that Redis has assigned to `dispatcher`, but that it does not hold: a reply was lost, or no
    /// replica confirmed them.
    /// - Throws: ``StoreUnavailable``; the next call returns them.
    public func retake<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        except held: [Content]
    ) throws(StoreUnavailable) -> [Content] {
        open(try store.retake(from: type.outbox, for: dispatcher, except: held.map(\.item)))
    }

    /// Takes over items that their dispatcher has not touched for `time`, because it died.
    /// - Throws: ``StoreUnavailable``.
    public func takeAbandoned<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        untouchedFor time: Duration
    ) throws(StoreUnavailable) -> [Content] {
        open(
            try store.takeAbandoned(
                from: type.outbox,
                for: dispatcher,
                atMost: Self.maximumTaken,
                idleMilliseconds: time.milliseconds
            )
        )
    }

    /// Postpones contents that a dispatcher holds: they wait in the outbox and occupy no dispatcher.
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func postpone(
        _ contents: [(content: some OutboxContent, Postponement)],
        for dispatcher: String
    ) throws(StoreUnavailable) {
        try store.postpone(contents.map { ($0.item, $1) }, for: dispatcher)
    }

    /// Takes postponed items whose delay is over and that have a destination with room.
    /// - Returns: the items; and the time until the next one is due: zero if there may be due items without room, nil
    ///   if no item waits.
    /// - Throws: ``StoreUnavailable``.
    public func takeWaiting<Content: OutboxContent>(
        _ type: Content.Type,
        for dispatcher: String,
        room: [String: DestinationRoom]
    ) throws(StoreUnavailable) -> (contents: [Content], next: Duration?) {
        let (items, next) = try store.takeWaiting(
            from: type.outbox,
            for: dispatcher,
            room: room,
            now: environment.now().milliseconds
        )
        return (open(items), next)
    }

    /// Reports that a dispatcher is alive and still working on these contents (heartbeat).
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func touch<Content: OutboxContent>(_ contents: [Content], for dispatcher: String) throws(StoreUnavailable) {
        try store.touch(contents.map(\.item), of: Content.outbox, for: dispatcher)
    }

    /// Removes a dispatcher from an outbox. Items that it still holds are left for another dispatcher.
    /// - Throws: ``StoreUnavailable``; idempotent.
    public func leave(_ outbox: Outbox, _ dispatcher: String) throws(StoreUnavailable) {
        try store.leave(outbox, dispatcher)
    }

    /// The maximum number of items taken from each project at a time.
    private static let maximumTaken = 64

    private func open<Content: OutboxContent>(_ items: [OutboxItem]) -> [Content] {
        var contents: [Content] = []
        for item in items {
            if let content = Content(item, self) {
                contents.append(content)
            } else if !Content.mayOpenElsewhere(item, self) {
                // No dispatcher will ever be able to open the item. All others are left to a dispatcher that can open
                // them, until they expire.
                store.bestEffort("remove an item that cannot be opened", try store.discard(item))
            }
        }
        return contents
    }
}
