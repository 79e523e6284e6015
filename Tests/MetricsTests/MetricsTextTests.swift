import TestServers
import Testing

@testable import Metrics

@Suite struct MetricsTextTests {
    private func text(_ format: MetricsFormat, of snapshot: MetricsSnapshot = MetricsSnapshot()) -> [String] {
        String(decoding: snapshot.text(format), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("OpenMetrics describes each metric under its name without suffixes, and ends with EOF")
    func openMetrics() {
        var snapshot = MetricsSnapshot()
        snapshot.totals.add(.requests, ["token", "2xx", "ok"], 7)
        snapshot.set(.outboxAge, "messages", to: 12)
        snapshot.processes = [("worker", "1.0"), ("worker", "1.0"), ("dispatcher", "1.1")]
        let lines = text(.openMetrics, of: snapshot)
        #expect(lines.contains("# TYPE dialtone_requests counter"))
        #expect(lines.contains(#"dialtone_requests_total{route="token",status="2xx",result="ok"} 7"#))
        #expect(lines.contains("# UNIT dialtone_outbox_oldest_age_seconds seconds"))
        #expect(lines.contains(#"dialtone_outbox_oldest_age_seconds{outbox="messages"} 12"#))
        #expect(lines.contains("# TYPE dialtone_build info"))
        #expect(lines.contains(#"dialtone_build_info{version="1.1"} 1"#))
        #expect(lines.contains(#"dialtone_processes{role="worker"} 2"#))
        #expect(lines.last == "# EOF")
        #expect(lines.count { $0 == "# EOF" } == 1)
    }

    @Test("the Prometheus format describes the samples' names, and has neither units nor EOF")
    func prometheus() {
        let lines = text(.prometheus)
        #expect(lines.contains("# TYPE dialtone_requests_total counter"))
        #expect(lines.contains("# TYPE dialtone_build_info gauge"))
        #expect(lines.contains("dialtone_metrics_dropped_series_total 0"))
        #expect(!lines.contains { $0.hasPrefix("# UNIT") || $0 == "# EOF" })
    }

    @Test("the dashboard shows each metric")
    func dashboard() {
        let packageFolder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let dashboard = readFile("\(packageFolder)/systemd/dialtone-dashboard.json")
        let used = Set(dashboard.matches(of: /dialtone_[a-z_]+/).map { String($0.output) })
        for family in MetricFamily.all {
            let suffixes = family.kind == .histogram ? ["_bucket", "_count", "_sum"] : [family.sampleSuffix]
            #expect(suffixes.contains { used.contains(family.name + $0) }, "\(family.name)")
        }
    }

    @Test("a histogram's buckets are cumulative, and its sum is in seconds")
    func histogram() throws {
        let registry = MetricRegistry()
        let histogram = registry.histogram(.requestDuration, "token")
        histogram.observe(.milliseconds(1))
        histogram.observe(.microseconds(1001))
        histogram.observe(.seconds(60))
        histogram.observe(.seconds(-1))
        var snapshot = MetricsSnapshot()
        snapshot.totals.add(try #require(registry.contents), isRunning: true)
        let name = "dialtone_request_duration_seconds"
        let lines = text(.openMetrics, of: snapshot).filter { $0.hasPrefix(name) }
        #expect(lines.first == #"\#(name)_bucket{route="token",le="0.001"} 2"#)
        #expect(lines.contains(#"\#(name)_bucket{route="token",le="0.0025"} 3"#))
        #expect(lines.contains(#"\#(name)_bucket{route="token",le="1.0"} 3"#))
        #expect(
            lines.suffix(3) == [
                #"\#(name)_bucket{route="token",le="+Inf"} 4"#, #"\#(name)_count{route="token"} 4"#,
                #"\#(name)_sum{route="token"} 60.002001"#,
            ]
        )
    }

    @Test(
        "label values are escaped",
        arguments: [(#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("a\r\u{0}b", "a??b"), ("é", "é")]
    )
    func escapes(value: String, escaped: String) throws {
        let key = SeriesKey(.outboxItems, [value])
        #expect(key.text == #"dialtone_outbox_items{outbox="\#(escaped)"}"#)
        #expect(SeriesKey(parsing: Array(key.text.utf8)) == key)
    }

    @Test(
        "a key in another format is not read from a file",
        arguments: [
            "", "{}", "1a", "a b", #"a{}"#, #"a{b}"#, #"a{b=""#, #"a{b="c}"#, #"a{b="c"}d"#, #"a{b="c",}"#,
            #"a{b="\x"}"#, "a{b=\"\n\"}", "a{b=\"\u{7f}\"}", "a\n# EOF", String(repeating: "a", count: 513),
        ]
    )
    func malformedKeys(text: String) {
        #expect(SeriesKey(parsing: Array(text.utf8)) == nil)
    }

    @Test(
        "a scraper gets OpenMetrics only if it asks for it by name",
        arguments: [
            (nil, "prometheus"), ("*/*", "prometheus"), ("text/plain", "prometheus"), ("text/html,*/*", "prometheus"),
            ("application/openmetrics-text; version=1.0.0", "openMetrics"),
            ("application/openmetrics-text;q=0", "prometheus"),
            ("application/openmetrics-text;q=0.4,text/plain;q=0.5", "prometheus"),
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", "openMetrics"
            ),
        ] as [(String?, String)]
    )
    func negotiation(accept: String?, format: String) {
        #expect("\(MetricsFormat(accept: accept))" == format)
    }

    @Test("a metric with too many series counts the rest as other, in one process and across processes")
    func cardinality() throws {
        let maximum = MetricFamily.requests.maximumSeries
        var snapshot = MetricsSnapshot()
        for process in 0..<2 {
            let registry = MetricRegistry()
            for number in 0..<maximum + 50 { registry.counter(.requests, "\(process)-\(number)", "2xx", "ok").add() }
            snapshot.totals.add(try #require(registry.contents), isRunning: true)
        }
        let series = snapshot.totals.series(of: .requests)
        #expect(series.count == maximum)
        #expect(series.reduce(0) { $0 + $1.values[0] } == UInt64(2 * (maximum + 50)))
    }

    @Test("a label value that is too long is counted as other")
    func longLabel() throws {
        let registry = MetricRegistry()
        registry.counter(.rateLimitsExceeded, String(repeating: "x", count: 1000), "number").add()
        let record = try #require(registry.contents?.records.first)
        #expect(record.key == SeriesKey(otherOf: .rateLimitsExceeded))
    }

    @Test("without room for a series, its events are not counted, but the loss is")
    func fullArena() throws {
        let registry = MetricRegistry()
        for family in MetricFamily.all where !family.labels.isEmpty {
            for number in 0..<2000 {
                let labels = family.labels.map { _ in "\(number)-" + String(repeating: "x", count: 100) }
                switch family.kind {
                case .counter: registry.counter(family, labels).add()
                case .gauge: registry.gauge(family, labels).add(1)
                case .histogram: registry.histogram(family, labels).observe(.seconds(1))
                }
            }
        }
        let contents = try #require(registry.contents)
        #expect(contents.dropped > 0)
        registry.counter(.processStarts, "worker").add()
    }

    @Test("the text has a bounded size, even with every series of every metric")
    func boundedText() {
        var snapshot = MetricsSnapshot()
        for family in MetricFamily.all where !family.labels.isEmpty && family.kind != .histogram {
            for number in 0..<2000 {
                snapshot.totals.add(family, family.labels.map { "\($0)-\(number)-abcdefghijklmnop" }, 1 << 40)
            }
        }
        #expect(snapshot.text(.openMetrics).count < 2_000_000)
    }
}
