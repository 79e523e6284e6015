/// A metric: its name, its meaning and its labels. All metrics are declared in ``MetricFamily/all``.
public struct MetricFamily: Sendable {
    /// The kind of a metric's values. Files store its number.
    enum Kind: UInt8, Sendable {
        /// A sum of events, which only grows. Samples end with `_total`.
        case counter = 1
        /// A current value of each process; the value of a machine is the sum over its running processes.
        case gauge = 2
        /// A distribution of durations.
        case histogram = 3
    }

    /// The name without the suffixes of samples.
    let name: String
    let kind: Kind
    /// The base unit, with which the name ends; nil for counts.
    let unit: String?
    let help: String
    /// The names of the labels.
    let labels: [String]
    /// The upper bounds of a histogram's buckets, in nanoseconds, ascending. The last bucket has no upper bound.
    let bounds: [UInt64]
    /// The number of stored units per base unit: durations are stored in nanoseconds.
    let scale: UInt64
    /// The maximum number of series. Further ones are counted together, with the value `other` in each label.
    let maximumSeries: Int

    private init(
        _ kind: Kind,
        _ name: String,
        _ help: String,
        unit: String? = nil,
        labels: [String],
        bounds: [UInt64] = [],
        scale: UInt64 = 1,
        atMost maximumSeries: Int
    ) {
        precondition(unit.map { name.hasSuffix("_\($0)") } ?? true, "\(name) does not end with its unit")
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.labels = labels
        self.bounds = bounds
        self.scale = scale
        self.maximumSeries = labels.isEmpty ? 1 : maximumSeries
    }

    /// Declares a counter of events. `name` has no `_total`.
    static func counter(_ name: String, _ help: String, labels: [String] = [], atMost series: Int = 64) -> Self {
        Self(.counter, name, help, labels: labels, atMost: series)
    }

    /// Declares a counter of money. Values are stored in millionths of the operator's currency.
    static func money(_ name: String, _ help: String, labels: [String] = [], atMost series: Int = 64) -> Self {
        Self(.counter, name, help, labels: labels, scale: 1_000_000, atMost: series)
    }

    /// Declares a gauge.
    static func gauge(
        _ name: String,
        _ help: String,
        unit: String? = nil,
        labels: [String] = [],
        atMost series: Int = 64
    ) -> Self {
        Self(.gauge, name, help, unit: unit, labels: labels, atMost: series)
    }

    /// Declares a histogram of durations. `name` ends with `_seconds`; `bounds` are microseconds.
    static func histogram(
        _ name: String,
        _ help: String,
        labels: [String] = [],
        bounds: [UInt64],
        atMost series: Int = 64
    ) -> Self {
        precondition(bounds.count < 64 && zip(bounds, bounds.dropFirst()).allSatisfy(<), "\(name) has wrong bounds")
        return Self(
            .histogram,
            name,
            help,
            unit: "seconds",
            labels: labels,
            bounds: bounds.map { $0 * 1000 },
            scale: nanosecondsPerSecond,
            atMost: series
        )
    }

    private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

    /// The number of values that a series stores: one; for a histogram, one for each bucket, and the sum.
    var valueCount: Int { kind == .histogram ? bounds.count + 2 : 1 }

    /// A number that identifies the meaning of a series's values (FNV-1a). Series that another program version counted
    /// with other bounds are not added up.
    var shape: UInt32 {
        var hash: UInt32 = 2_166_136_261
        for value in [UInt64(kind.rawValue), scale] + bounds {
            for shift in stride(from: 0, to: 64, by: 8) {
                hash = (hash ^ UInt32(truncatingIfNeeded: value >> shift & 0xff)) &* 16_777_619
            }
        }
        return hash
    }
}
