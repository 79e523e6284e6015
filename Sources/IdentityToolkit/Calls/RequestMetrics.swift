internal import Metrics

/// The counts and times of one thread's requests, by route and outcome. The series are kept, so that counting a request
/// takes no lock.
struct RequestMetrics {
    private struct Outcome: Hashable {
        let route: String
        let status: Int
        let word: String
    }

    private var counters: [Outcome: Counter] = [:]
    private var durations: [String: Histogram] = [:]

    /// Counts an answered request. The path of an unknown route is not recorded: clients choose it.
    mutating func count(_ record: RequestRecord, status: Int) {
        let outcome = Outcome(route: record.route, status: status / 100, word: record.errorWord ?? "ok")
        if let known = counters[outcome] {
            known.add()
        } else {
            let labels = [outcome.route, "\(outcome.status)xx", outcome.word]
            let new = MetricRegistry.process.counter(.requests, labels)
            counters[outcome] = new
            new.add()
        }
        let duration = durations[record.route] ?? MetricRegistry.process.histogram(.requestDuration, record.route)
        durations[record.route] = duration
        duration.observe(record.age)
    }
}
