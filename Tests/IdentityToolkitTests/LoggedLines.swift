import Logging
import Synchronization

/// Keeps what is logged.
final class LoggedLines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]

        var text: String { "\(level) \(message) \(metadata)" }
    }

    struct Handler: LogHandler {
        let lines: LoggedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            lines.kept.withLock {
                $0.append(Line(level: event.level, message: "\(event.message)", metadata: metadata))
            }
        }
    }

    fileprivate let kept = Mutex<[Line]>([])

    var all: [Line] { kept.withLock { $0 } }
}
