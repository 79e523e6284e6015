/// A text format of metrics.
public enum MetricsFormat: Sendable {
    /// OpenMetrics 1.0.
    case openMetrics
    /// The text format of Prometheus, version 0.0.4.
    case prometheus

    /// Chooses a format from the `Accept` header of a request. OpenMetrics must be named explicitly: tools that accept
    /// anything usually read the older format.
    public init(accept: String?) {
        var openMetrics = 0.0
        var text = 0.0
        for range in (accept ?? "").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            switch parts.first {
            case "application/openmetrics-text": openMetrics = max(openMetrics, quality)
            case "text/plain", "text/*", "*/*": text = max(text, quality)
            default: continue
            }
        }
        self = openMetrics > 0 && openMetrics >= text ? .openMetrics : .prometheus
    }

    /// The value of `Content-Type`.
    public var mediaType: String {
        switch self {
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        }
    }

    /// Returns the text of all metrics that this version knows.
    func text(of totals: MetricTotals) -> [UInt8] {
        var text = ""
        let series = totals.seriesByFamily
        for family in MetricFamily.all { write(family, series[family.name] ?? [], to: &text) }
        if self == .openMetrics { text += "# EOF\n" }
        return Array(text.utf8)
    }

    private func write(_ family: MetricFamily, _ series: [MetricRecord], to text: inout String) {
        let samples = family.name + family.sampleSuffix
        let described = self == .openMetrics ? family.name : samples
        text += "# TYPE \(described) \(type(of: family))\n"
        if self == .openMetrics, let unit = family.unit { text += "# UNIT \(described) \(unit)\n" }
        text += "# HELP \(described) \(family.help)\n"
        if family.labels.isEmpty, family.kind == .counter, series.isEmpty { text += "\(samples) 0\n" }
        for record in series {
            switch family.kind {
            case .counter: text += "\(samples)\(record.key.labels) \(family.decimal(record.values[0]))\n"
            case .gauge: text += "\(samples)\(record.key.labels) \(Int64(bitPattern: record.values[0]))\n"
            case .histogram: writeHistogram(family, record, to: &text)
            }
        }
    }

    private func writeHistogram(_ family: MetricFamily, _ record: MetricRecord, to text: inout String) {
        var count: UInt64 = 0
        for (index, bound) in family.bounds.enumerated() {
            count &+= record.values[index]
            text += "\(family.name)_bucket\(record.key.labels(and: "le", family.bound(bound))) \(count)\n"
        }
        count &+= record.values[family.bounds.count]
        text += "\(family.name)_bucket\(record.key.labels(and: "le", "+Inf")) \(count)\n"
        text += "\(family.name)_count\(record.key.labels) \(count)\n"
        text += "\(family.name)_sum\(record.key.labels) \(family.decimal(record.values[family.bounds.count + 1]))\n"
    }

    private func type(of family: MetricFamily) -> String {
        switch family.kind {
        case .counter: "counter"
        case .gauge where family.isInfo && self == .openMetrics: "info"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}

extension MetricFamily {
    fileprivate var isInfo: Bool { name == Self.build.name }

    /// The suffix that the names of samples have after the name of the metric.
    var sampleSuffix: String {
        switch kind {
        case .counter: "_total"
        case .gauge: isInfo ? "_info" : ""
        case .histogram: ""
        }
    }

    /// The upper bound of a bucket, with at least one decimal place as OpenMetrics writes it.
    fileprivate func bound(_ value: UInt64) -> String {
        let text = decimal(value)
        return text.contains(".") ? text : "\(text).0"
    }

    /// Returns a stored value in the metric's unit.
    fileprivate func decimal(_ value: UInt64) -> String {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: scale)
        guard rest > 0 else { return String(whole) }
        var digits = String(rest)
        digits = String(repeating: "0", count: String(scale).utf8.count - 1 - digits.utf8.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
