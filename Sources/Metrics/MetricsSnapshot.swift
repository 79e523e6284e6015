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
