public import Logging
internal import Synchronization

/// A log that keeps its lines in memory.
public final class LoggedLines: Sendable {
    /// A line of the log.
    public struct Line: Sendable {
        /// The level.
        public let level: Logger.Level
        /// The message.
        public let message: String
        /// The metadata.
        public let metadata: [String: String]

        /// The whole line.
        public var text: String { "\(level) \(message) \(metadata)" }
    }

    private struct Handler: LogHandler {
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

    private let kept = Mutex<[Line]>([])

    /// Creates an empty log.
    public init() {}

    /// All lines, in order.
    public var all: [Line] { kept.withLock { $0 } }

    /// A logger that writes to this log.
    public var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }
}
