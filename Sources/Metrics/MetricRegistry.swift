internal import Synchronization

/// The series of a process.
///
/// A series is created at its first use, under a lock. Code that counts often keeps the returned value: counting is
/// then one atomic addition, without a lock, an allocation or a system call.
public final class MetricRegistry: Sendable {
    /// The registry of this process. It counts in memory; a worker or a dispatcher shares it with the other processes
    /// of the machine: ``share(in:role:version:)``.
    public static let process = MetricRegistry()

    /// The family and the labels of a series. They are looked up before a ``SeriesKey`` is created, which takes longer.
    private struct Request: Hashable {
        let family: String
        let labels: [String]
    }

    private struct State {
        var known: [Request: MetricArena.Word] = [:]
        var words: [String: MetricArena.Word] = [:]
        var seriesOfFamily: [String: Int] = [:]
    }

    private let arena = MetricArena()
    private let state = Mutex(SendableState(State()))
    private let file = Mutex<MetricsFile?>(nil)

    /// `@unchecked Sendable`: guarded by the lock. Its addresses lead to atomic values.
    private struct SendableState: @unchecked Sendable {
        var value: State
        init(_ value: State) { self.value = value }
    }

    /// Creates a registry that counts in memory.
    public init() {}

    /// Shares the values with the other processes of the machine through a file in a folder, and adds up the files of
    /// ended processes. Values that were counted before are kept.
    ///
    /// - Throws: ``MetricsFolderError``; the registry then continues to count in memory.
    public func share(in folder: MetricsFolder, role: String, version: String) throws(MetricsFolderError) {
        arena.describe(role: role, version: version)
        // First, because this may free space on the disk.
        folder.mergeEnded()
        let file = try folder.addFile { descriptor throws(MetricsFolderError) in
            try self.arena.share(through: descriptor)
        }
        self.file.withLock { $0 = file }
    }

    /// Releases the lock, as the end of the process would. For tests.
    func abandon() {
        file.withLock { file in
            file?.unlock()
            file = nil
        }
    }

    /// The values that the process has counted.
    var contents: MetricsFileContents? { arena.contents }

    /// Returns a counter. `labels` are in the order of the family's declaration.
    public func counter(_ family: MetricFamily, _ labels: String...) -> Counter { counter(family, labels) }

    /// Returns a counter.
    public func counter(_ family: MetricFamily, _ labels: [String]) -> Counter {
        precondition(family.kind == .counter)
        return Counter(word: word(family, labels))
    }

    /// Returns a gauge.
    public func gauge(_ family: MetricFamily, _ labels: String...) -> Gauge { gauge(family, labels) }

    func gauge(_ family: MetricFamily, _ labels: [String]) -> Gauge {
        precondition(family.kind == .gauge)
        return Gauge(word: word(family, labels))
    }

    /// Returns a histogram.
    public func histogram(_ family: MetricFamily, _ labels: String...) -> Histogram { histogram(family, labels) }

    func histogram(_ family: MetricFamily, _ labels: [String]) -> Histogram {
        precondition(family.kind == .histogram)
        return Histogram(words: word(family, labels), bounds: family.bounds)
    }

    private func word(_ family: MetricFamily, _ labels: [String]) -> MetricArena.Word {
        assert(labels.count == family.labels.count, "\(family.name) has the labels \(family.labels)")
        let request = Request(family: family.name, labels: labels)
        return state.withLock { state in
            if let word = state.value.known[request] { return SendableWord(word) }
            var key = SeriesKey(family, labels)
            if key.text.utf8.count > SeriesKey.maximumBytes { key = SeriesKey(otherOf: family) }
            if let word = state.value.words[key.text] { return SendableWord(word) }
            // One of the allowed series counts the events of all further ones.
            let count = state.value.seriesOfFamily[family.name, default: 0]
            if count >= family.maximumSeries - 1, !family.labels.isEmpty {
                key = SeriesKey(otherOf: family)
                if let word = state.value.words[key.text] { return SendableWord(word) }
            }
            guard let word = arena.append(key.text, family) else {
                // Not remembered, because any number of such series may occur.
                arena.dropped.pointee.wrappingAdd(1, ordering: .relaxed)
                return Self.sink
            }
            state.value.words[key.text] = word
            // Labels that are counted as `other` are not remembered; otherwise, the table could grow without bound.
            if key == SeriesKey(family, labels) { state.value.known[request] = word }
            state.value.seriesOfFamily[family.name] = count + 1
            return SendableWord(word)
        }.word
    }

    /// `@unchecked Sendable`: the address of an atomic value that is never deallocated.
    private struct SendableWord: @unchecked Sendable {
        let word: MetricArena.Word
        init(_ word: MetricArena.Word) { self.word = word }
    }

    /// Memory for the values of all series that did not fit. No one reads it.
    private static let sink: SendableWord = {
        let byteCount = 8 * (MetricFamily.all.map(\.valueCount).max() ?? 1)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        return SendableWord(memory.assumingMemoryBound(to: Atomic<UInt64>.self))
    }()
}

/// Counting of occasional events. Code that counts in each request keeps a ``Counter`` or ``Histogram`` instead,
/// because these functions look the series up, under a lock.
extension MetricFamily {
    /// Adds to a counter of this process. An amount of 0 makes the counter appear before the first event, which
    /// Prometheus's `increase` would otherwise miss.
    public func count(_ labels: String..., by amount: UInt64 = 1) {
        MetricRegistry.process.counter(self, labels).add(amount)
    }
}

/// A count of events.
///
/// `@unchecked Sendable`: the address of an atomic value that is never deallocated.
public struct Counter: @unchecked Sendable {
    let word: MetricArena.Word

    /// Adds to the count.
    public func add(_ amount: UInt64 = 1) { word.pointee.wrappingAdd(amount, ordering: .relaxed) }
}

/// A current value.
///
/// `@unchecked Sendable`: the address of an atomic value that is never deallocated.
public struct Gauge: @unchecked Sendable {
    let word: MetricArena.Word

    /// Replaces the value.
    public func set(_ value: Int) { word.pointee.store(UInt64(bitPattern: Int64(value)), ordering: .relaxed) }
    /// Adds to the value.
    public func add(_ change: Int) { word.pointee.wrappingAdd(UInt64(bitPattern: Int64(change)), ordering: .relaxed) }
}

/// A distribution of durations.
///
/// `@unchecked Sendable`: the address of atomic values that are never deallocated.
public struct Histogram: @unchecked Sendable {
    let words: MetricArena.Word
    let bounds: [UInt64]

    /// Counts a duration.
    public func observe(_ duration: Duration) {
        let nanoseconds = duration.nanoseconds
        var bucket = 0
        while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
        words[bucket].wrappingAdd(1, ordering: .relaxed)
        words[bounds.count + 1].wrappingAdd(nanoseconds, ordering: .relaxed)
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 if it is negative.
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000))
    }
}
