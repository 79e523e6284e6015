public import Encodings
public import Logging
internal import Metrics
internal import PhoneAuth
internal import PhoneNumbers

/// One request: its id, the values in its path, and the content of its log line. It has no field for a code, a token or
/// an unmasked number.
///
/// All code that handles a request shares one record.
final class RequestRecord {
    let requestID: String
    let method: String
    var route = "unknown"
    /// The value of the parameter in the route's path; empty if the path has none. It is not logged.
    var pathParameter = ""
    var project: String?
    var phone: E164?
    /// The outcome, such as `opened`, or the error code.
    var reason: String?
    /// The error code, or the canonical status of an error that has none: one of a fixed number of words.
    var errorWord: String?
    var detail: String?
    /// The id by which operators look up the decision and the changes; sent as the `Dialtone-Reference` header.
    var reference: String?
    /// Whether a success is logged at the level debug only.
    var isQuiet = false
    private let startedAt = ContinuousClock.now

    private enum Value {
        case text(String)
        case number(Int64)
    }

    init(requestID: String, method: String) {
        self.requestID = requestID
        self.method = method
    }

    /// The time since the request was read.
    var age: Duration { .now - startedAt }

    func makeReference() {
        reference = Explanation.reference(ofRequest: requestID)
    }

    /// Records the result of a request to send a code.
    func note(_ sent: SentVerificationCode) {
        phone = sent.phone
        reason = sent.outcome.rawValue
        // So that developers notice: development mode requires no challenge.
        if !sent.phone.isValid, sent.outcome != .testNumber { detail = "the number is not in the numbering data" }
    }

    func write(to logger: Logger, status: Int) {
        let level: Logger.Level = status >= 500 ? .error : isQuiet && status < 300 ? .debug : .info
        guard logger.logLevel <= level else { return }
        if let handler = logger.handler as? any JSONMembersLogHandler {
            handler.log(level: level, message: "request") { json in
                forEachMember(status) { name, value in
                    switch value {
                    case .text(let text): json.member(name, text)
                    case .number(let number): json.member(name, number)
                    }
                }
            }
        } else {
            var metadata: Logger.Metadata = [:]
            forEachMember(status) { name, value in
                switch value {
                case .text(let text): metadata[name] = .string(text)
                case .number(let number): metadata[name] = .stringConvertible(Int(number))
                }
            }
            logger.log(level: level, "request", metadata: metadata)
        }
    }

    /// Calls `body` for each member in alphabetical order, which makes log lines easy to scan.
    private func forEachMember(_ status: Int, _ body: (String, Value) -> Void) {
        let duration = age.components
        if let detail { body("detail", .text(detail)) }
        body(
            "durationMicroseconds",
            .number(duration.seconds * 1_000_000 + duration.attoseconds / 1_000_000_000_000)
        )
        body("method", .text(method))
        if let phone { body("number", .text(phone.description)) }
        if let project { body("project", .text(project)) }
        if let reason { body("reason", .text(reason)) }
        if let reference { body("reference", .text(reference)) }
        if let phone { body("region", .text(phone.effectiveRegion.description)) }
        body("requestId", .text(requestID))
        body("route", .text(route))
        body("status", .number(Int64(status)))
    }
}

/// A log handler that writes JSON and takes an event's members directly.
///
/// swift-log's metadata is a dictionary. Building, sorting and printing it takes a tenth of the time of the whole
/// request. A handler that conforms to this protocol gets the members directly; any other handler gets the same members
/// as metadata.
public protocol JSONMembersLogHandler: LogHandler {
    /// Writes one event; `writeMembers` adds its members to those of every event.
    func log(level: Logger.Level, message: String, writeMembers: (inout JSONWriter) -> Void)
}

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
