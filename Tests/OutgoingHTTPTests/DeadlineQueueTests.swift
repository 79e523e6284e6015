import TestServers
import Testing

@testable import OutgoingHTTP

@Suite struct DeadlineQueueTests {
    private let start = ContinuousClock.now

    private func entry(_ milliseconds: Int, _ id: UInt64) -> DeadlineQueue.Entry {
        DeadlineQueue.Entry(deadline: start + .milliseconds(milliseconds), exchange: id, client: 1)
    }

    @Test("deadlines fire in order when they are due")
    func order() {
        var queue = DeadlineQueue()
        var times = (0..<500).map { $0 / 3 }
        times.shuffle()
        for (id, time) in times.enumerated() { queue.add(entry(time, UInt64(id))) }
        #expect(queue.removeFirst(dueAt: start - .milliseconds(1)) == nil)
        var due: [Int] = []
        while let next = queue.removeFirst(dueAt: start + .milliseconds(99)) { due.append(times[Int(next.exchange)]) }
        #expect(due == times.filter { $0 <= 99 }.sorted())
        #expect(queue.first == start + .milliseconds(100))
        while let next = queue.removeFirst(dueAt: start + .seconds(9)) { due.append(times[Int(next.exchange)]) }
        #expect(due == times.sorted() && queue.count == 0)
    }

    @Test("deadlines of completed exchanges are removed in bulk, and the others stay in order")
    func forgetting() {
        var queue = DeadlineQueue()
        for id in 0..<10_000 as Range<UInt64> {
            queue.add(entry(Int(id * 7919 % 10_000), id))
            queue.forget { $0.exchange % 100 == 0 || $0.exchange == id }
            #expect(queue.count <= 512)
        }
        var kept: [UInt64] = []
        var last = start
        while let next = queue.removeFirst(dueAt: start + .seconds(99)) {
            #expect(next.deadline >= last)
            last = next.deadline
            kept.append(next.exchange)
        }
        #expect(Set(kept).isSuperset(of: (0..<100).map { $0 * 100 }))
    }
}

extension DeadlineQueue.Entry: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.exchange == right.exchange }
}
