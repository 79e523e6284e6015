/// The deadlines of all exchanges, earliest first: a binary heap.
///
/// The entry of a finished exchange stays until it is due, or until ``forget(unless:)`` removes it.
struct DeadlineQueue {
    struct Entry {
        let deadline: ContinuousClock.Instant
        let exchange: Exchange.ID
        let client: ClientSettings.ID
    }

    private var heap: [Entry] = []
    /// The number of entries from which ``forget(unless:)`` removes the entries of finished exchanges.
    private var tidyCount = 256

    var first: ContinuousClock.Instant? { heap.first?.deadline }
    var count: Int { heap.count }

    mutating func add(_ exchange: Exchange) {
        add(Entry(deadline: exchange.deadline, exchange: exchange.id, client: exchange.settings.id))
    }

    mutating func add(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func removeFirst(dueAt now: ContinuousClock.Instant) -> Entry? {
        guard let first = heap.first, first.deadline <= now, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { heap[$0].deadline < heap[$1].deadline }),
                heap[child].deadline < heap[parent].deadline
            else { return first }
            heap.swapAt(child, parent)
            parent = child
        }
    }

    /// Removes the entries of finished exchanges if the queue has grown large.
    mutating func forget(unless isUnderWay: (Entry) -> Bool) {
        guard heap.count >= tidyCount else { return }
        // A sorted array is a heap.
        heap = heap.filter(isUnderWay).sorted { $0.deadline < $1.deadline }
        tidyCount = max(256, 2 * heap.count)
    }
}
