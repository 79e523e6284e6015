import Glibc
import Synchronization
import Threads

/// A subscription to channels of one of several Sentinels, on its own thread. If a Sentinel is silent or gone, the next
/// one is used. Releasing the object ends the thread.
final class Subscription: Sendable {
    /// How long a Sentinel may be silent before it is pinged, and how long its reply may take.
    static let patience: Duration = .seconds(2)

    private let loop: Loop
    private let isStarted = Mutex(false)

    /// Creates a subscription that is not started.
    ///
    /// - Parameters:
    ///   - sentinels: how to connect, and the master's name.
    ///   - endpoints: the Sentinels, one of which is used at a time.
    ///   - channels: the names of the channels.
    ///   - connectTimeout: how long connecting may take.
    ///   - reportMaster: receives the master that a Sentinel reports when the subscription begins.
    ///   - reportFailover: receives the master that a Sentinel is replacing when the subscription begins.
    ///   - report: receives each message with its channel.
    init(
        _ sentinels: Sentinels,
        to endpoints: [Endpoint],
        channels: [String],
        connectTimeout: Duration,
        reportMaster: @escaping @Sendable (Endpoint) -> Void = { _ in },
        reportFailover: @escaping @Sendable (Endpoint) -> Void = { _ in },
        report: @escaping @Sendable (_ channel: String, _ message: String) -> Void
    ) {
        loop = Loop(sentinels, endpoints, channels, connectTimeout, reportMaster, reportFailover, report)
    }

    deinit { loop.stop() }

    /// Starts the thread, unless it is running.
    func start() {
        isStarted.withLock { isStarted in
            guard !isStarted else { return }
            guard let thread = try? WorkThread(name: "sentinel", run: { [loop] in loop.run() }) else { return }
            thread.detach()
            isStarted = true
        }
    }
}

/// The work of the thread. The thread retains this object, and not the subscription, so that the subscription can end
/// the thread.
private final class Loop: Sendable {
    private let sentinels: Sentinels
    private let endpoints: [Endpoint]
    private let channels: [String]
    private let connectTimeout: Duration
    private let reportMaster: @Sendable (Endpoint) -> Void
    private let reportFailover: @Sendable (Endpoint) -> Void
    private let report: @Sendable (_ channel: String, _ message: String) -> Void
    private let isStopped = Atomic(false)
    private let mayEnd = Semaphore()
    /// The link that the thread reads from.
    private let descriptor = Mutex<Int32?>(nil)

    init(
        _ sentinels: Sentinels,
        _ endpoints: [Endpoint],
        _ channels: [String],
        _ connectTimeout: Duration,
        _ reportMaster: @escaping @Sendable (Endpoint) -> Void,
        _ reportFailover: @escaping @Sendable (Endpoint) -> Void,
        _ report: @escaping @Sendable (_ channel: String, _ message: String) -> Void
    ) {
        self.sentinels = sentinels
        self.endpoints = endpoints
        self.channels = channels
        self.connectTimeout = connectTimeout
        self.reportMaster = reportMaster
        self.reportFailover = reportFailover
        self.report = report
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        mayEnd.signal()
        descriptor.withLock { descriptor in
            if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private var isOver: Bool { isStopped.load(ordering: .acquiring) }

    func run() {
        var backoff = Backoff(first: .milliseconds(50), maximum: .seconds(5))
        var index = Int.random(in: 0..<endpoints.count)
        while !isOver {
            do {
                try listen(to: endpoints[index]) { backoff.succeeded() }
            } catch {
                // Another Sentinel may know more. If none can be reached, existing connections continue to be used.
            }
            index = (index + 1) % endpoints.count
            backoff.failed(at: .now)
            if isOver || mayEnd.wait(atMost: backoff.remaining(at: .now)) { return }
        }
    }

    /// Listens until the Sentinel fails or the subscription ends.
    private func listen(to sentinel: Endpoint, _ whenListening: () -> Void) throws(RedisError) {
        let end = Link.Instant.now + connectTimeout
        let link = try sentinels.connect(to: sentinel, until: end)
        descriptor.withLock { $0 = link.descriptor }
        // Until then, the link must not close its descriptor, because its number could be reused for another file.
        defer { withExtendedLifetime(link) { descriptor.withLock { $0 = nil } } }
        guard !isOver else { return }
        // Sent together, so that no failover or switch of the master can happen in between.
        link.append(sentinels.question)
        link.append(sentinels.detailedQuestion)
        var subscribe = Command("SUBSCRIBE")
        for channel in channels { subscribe.append(channel) }
        link.append(subscribe)
        try link.flush(until: end)
        let master = try sentinels.master(in: link.nextReply(until: end))
        let replaced = try sentinels.masterBeingReplaced(in: link.nextReply(until: end))
        for _ in channels { _ = try link.nextReply(until: end).get() }
        reportMaster(master)
        if let replaced { reportFailover(replaced) }
        whenListening()
        var isAsked = false
        while !isOver {
            do {
                take(try link.nextReply(until: .now + Subscription.patience).get())
                isAsked = false
            } catch .timedOut where !isAsked {
                link.append(Command("PING"))
                try link.flush(until: .now + Subscription.patience)
                isAsked = true
            }
        }
    }

    private func take(_ reply: Reply) {
        guard let parts = reply.array, parts.count == 3, parts[0].text == "message", let channel = parts[1].text,
            let message = parts[2].text
        else { return }
        report(channel, message)
    }
}
