import Glibc
import Synchronization
import Threads

/// Listens to one Sentinel for a new master, on a thread of its own. A process has one.
///
/// A Sentinel that is silent or gone is replaced by the next. What was missed in between is found by comparison:
/// ``Sentinels/reported(_:)``.
final class MasterWatch: Sendable {
    /// How long a Sentinel may be silent before it is asked for a sign of life, and how long the answer may take.
    static let patience: Duration = .seconds(2)

    let sentinels: Sentinels
    private let loop: Loop
    private let isStarted = Mutex(false)

    /// Creates a watch that is not started.
    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        loop = Loop(sentinels, connectTimeout: connectTimeout)
    }

    deinit { loop.stop() }

    /// Starts the thread, unless it runs. Without a thread, connections find a new master once the former one fails.
    func start() {
        isStarted.withLock { isStarted in
            guard !isStarted else { return }
            guard let thread = try? WorkThread(name: "sentinel", run: { [loop] in loop.run() }) else { return }
            thread.detach()
            isStarted = true
        }
    }
}

/// What the thread does. The thread keeps it, and not the watch, so that the watch can end the thread.
private final class Loop: Sendable {
    private let sentinels: Sentinels
    private let connectTimeout: Duration
    private let isStopped = Atomic(false)
    private let mayEnd = Semaphore()
    /// The link that the thread reads from.
    private let descriptor = Mutex<Int32?>(nil)

    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        self.connectTimeout = connectTimeout
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
        let endpoints = sentinels.servers.endpoints
        var backoff = Backoff(first: .milliseconds(50), maximum: .seconds(5))
        var index = Int.random(in: 0..<endpoints.count)
        while !isOver {
            do {
                try listen(to: endpoints[index]) { backoff.succeeded() }
            } catch {
                // Another Sentinel may know more. If none can be reached, connections that exist are used on.
            }
            index = (index + 1) % endpoints.count
            backoff.failed(at: .now)
            if isOver || mayEnd.wait(atMost: backoff.remaining(at: .now)) { return }
        }
    }

    /// Listens until the Sentinel fails or the watch ends.
    private func listen(to sentinel: Endpoint, _ whenListening: () -> Void) throws(RedisError) {
        let end = Link.Instant.now + connectTimeout
        let link = try sentinels.connect(to: sentinel, until: end)
        descriptor.withLock { $0 = link.descriptor }
        // The link must not close its descriptor before, because the number may then be another file's.
        defer { withExtendedLifetime(link) { descriptor.withLock { $0 = nil } } }
        guard !isOver else { return }
        // Sent together, so that no switch happens in between.
        link.append(sentinels.question)
        link.append(Command("SUBSCRIBE", .text(Self.channel)))
        try link.flush(until: end)
        let master = try sentinels.master(in: link.nextReply(until: end))
        _ = try link.nextReply(until: end).get()
        sentinels.reported(master)
        whenListening()
        var isAsked = false
        while !isOver {
            do {
                report(try link.nextReply(until: .now + MasterWatch.patience).get())
                isAsked = false
            } catch .timedOut where !isAsked {
                link.append(Command("PING"))
                try link.flush(until: .now + MasterWatch.patience)
                isAsked = true
            }
        }
    }

    private static let channel = "+switch-master"

    /// Takes the new master from a message `<name> <former address> <former port> <address> <port>`.
    private func report(_ message: Reply) {
        guard let parts = message.array, parts.count == 3, parts[0].text == "message", parts[1].text == Self.channel,
            let fields = parts[2].text?.split(separator: " "), fields.count == 5, fields[0] == sentinels.masterName,
            let master = Endpoint(host: String(fields[3]), port: String(fields[4]))
        else { return }
        sentinels.reported(master)
    }
}
