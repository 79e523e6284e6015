import Encodings
import Glibc
import IdentityToolkit
import Logging
import PhoneAuth

/// A log handler that writes each event as one line of JSON to standard error. A line is a single write, so that lines
/// of several threads and processes never mix. JSON escapes line breaks, so clients cannot forge lines (log injection).
struct JSONLogHandler: JSONMembersLogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log(level: event.level, message: event.message.description) { json in
            for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
                // Numbers stay numbers, so that log queries can compare them.
                if case .stringConvertible(let convertible) = value, let number = convertible as? Int {
                    json.member(name, Int64(number))
                } else {
                    json.member(name, value.description)
                }
            }
        }
    }

    func log(level: Logger.Level, message: String, writeMembers: (inout JSONWriter) -> Void) {
        var json = JSONWriter(reservingBytes: 512)
        json.object { json in
            json.member("time", Environment.system.now().milliseconds)
            json.member("level", level.rawValue)
            json.member("message", message)
            for (name, value) in metadata { json.member(name, value.description) }
            writeMembers(&json)
        }
        json.endLine()
        writeAll(Self.writesToJournal ? Array("<\(level.priority)>".utf8) + json.bytes : json.bytes, to: STDERR_FILENO)
    }

    /// Whether standard error is the journal, which takes the priority from the beginning of a line (`sd-daemon(3)`).
    private static let writesToJournal: Bool = {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()
}

extension Logger.Level {
    /// The severity, a number of RFC 5424, section 6.2.1.
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

extension Logger {
    /// Logs that Redis did not perform a step on which the operation does not depend.
    func dropped(_ step: DroppedStep) {
        var metadata: Metadata = ["step": "\(step.name)", "detail": "\(step.error)"]
        if let requestID = step.requestID { metadata["requestId"] = "\(requestID)" }
        notice("a step was dropped", metadata: metadata)
    }
}
