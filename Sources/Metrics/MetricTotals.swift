/// The sums of the values of several processes.
public struct MetricTotals: Sendable {
    private struct Identity: Hashable {
        let key: SeriesKey
        let shape: UInt32
    }

    /// The maximum number of series. A program has some thousand; the limit bounds files from other versions.
    static let maximumSeries = 16_384
    /// The maximum number of series that belong to metrics which this version does not know.
    static let maximumUnknownSeries = 256

    private var values: [Identity: MetricRecord] = [:]
    private var seriesOfFamily: [String: Int] = [:]
    /// The number of series that did not fit in the memory of their process.
    private(set) var dropped: UInt64 = 0

    /// Creates empty totals.
    init() {}

    /// All series, unordered.
    var records: some Collection<MetricRecord> { values.values }

    /// Adds the values of a file. Gauges count only while their process is running.
    mutating func add(_ contents: MetricsFileContents, isRunning: Bool) {
        dropped &+= contents.dropped
        for record in contents.records where isRunning || record.kind != .gauge { add(record) }
    }

    /// Adds to a counter or a gauge.
    mutating func add(_ family: MetricFamily, _ labels: [String], _ value: UInt64) {
        add(MetricRecord(key: SeriesKey(family, labels), kind: family.kind, shape: family.shape, values: [value]))
    }

    private mutating func add(_ record: MetricRecord) {
        let known = MetricFamily.known[record.key.family]
        if let known, known.shape == record.shape {
            // A hostile file could contain other labels, or fewer values than the buckets that are printed.
            guard record.values.count == known.valueCount, record.key.labelNames == known.labels else { return }
        }
        var identity = Identity(key: record.key, shape: record.shape)
        if values[identity] == nil {
            let count = seriesOfFamily[record.key.family, default: 0]
            if let known, known.shape == record.shape, !known.labels.isEmpty, count >= known.maximumSeries - 1 {
                identity = Identity(key: SeriesKey(otherOf: known), shape: record.shape)
            } else if values.count >= Self.maximumSeries || known == nil && count >= Self.maximumUnknownSeries {
                dropped &+= 1
                return
            }
        }
        if var sum = values[identity] {
            guard sum.values.count == record.values.count else { return }
            for index in sum.values.indices { sum.values[index] &+= record.values[index] }
            values[identity] = sum
        } else {
            seriesOfFamily[record.key.family, default: 0] += 1
            values[identity] = MetricRecord(
                key: identity.key,
                kind: record.kind,
                shape: record.shape,
                values: record.values
            )
        }
    }

    /// Returns the series of a metric, sorted by their labels.
    func series(of family: MetricFamily) -> [MetricRecord] { seriesByFamily[family.name] ?? [] }

    /// The series of the metrics that this version knows, by metric.
    var seriesByFamily: [String: [MetricRecord]] {
        let known = values.values.filter { MetricFamily.known[$0.key.family]?.shape == $0.shape }
        return Dictionary(grouping: known, by: \.key.family)
            .mapValues { $0.sorted { $0.key.labels < $1.key.labels } }
    }
}

/// The counts of all processes of a machine.
public struct MetricsSnapshot: Sendable {
    var totals = MetricTotals()
    /// The role and the version of each running process.
    var processes: [(role: String, version: String)] = []

    /// Sets a gauge whose value is determined only when the metrics are read.
    public mutating func set(_ family: MetricFamily, _ labels: String..., to value: Int) {
        totals.add(family, labels, UInt64(bitPattern: Int64(value)))
    }

    /// Returns the text for a scraper.
    public func text(_ format: MetricsFormat) -> [UInt8] {
        var totals = totals
        for process in processes { totals.add(.processes, [process.role], 1) }
        for version in Set(processes.map(\.version)) { totals.add(.build, [version], 1) }
        totals.add(.droppedSeries, [], totals.dropped)
        return format.text(of: totals)
    }
}
