import Synchronization
import Testing

@testable import Delivery

@Suite struct RequestLimitTests {
    @Test("no more than the limit run concurrently, and all of them run")
    func bounds() async {
        let limit = RequestLimit(3)
        let gauge = Gauge()
        let finished = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await limit.run {
                        gauge.enter()
                        await Task.yield()
                        gauge.leave()
                        return number
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(finished.compactMap { $0 }.sorted() == Array(0..<200))
        #expect(gauge.highest <= 3)
    }

    @Test("a cancelled task does not wait, and its slot is released only once", .timeLimit(.minutes(30)))
    func cancellation() async {
        let limit = RequestLimit(1)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            await limit.run {
                start.finish()
                for await _ in gate {}
                return true
            }
        }
        for await _ in started {}
        let waiter = Task { await limit.run { true } }
        waiter.cancel()
        #expect(await waiter.value == nil)
        open.finish()
        #expect(await holder.value == true)
        #expect(await limit.run { true } == true)
    }
}

/// Counts concurrent tasks, and records the maximum.
private final class Gauge: Sendable {
    private let counts = Mutex((inside: 0, highest: 0))

    var highest: Int { counts.withLock { $0.highest } }

    func enter() {
        counts.withLock { counts in
            counts.inside += 1
            counts.highest = max(counts.highest, counts.inside)
        }
    }

    func leave() { counts.withLock { $0.inside -= 1 } }
}
