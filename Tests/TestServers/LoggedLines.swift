public import Logging
internal import Synchronization

/// Keeps what is logged.
public final class LoggedLines: Sendable {
    /// A line of the log.
    public struct Line: Sendable {
        /// How grave it is.
        public let level: Logger.Level
        /// What happened.
        public let message: String
        /// The values that belong to it.
        public let metadata: [String: String]

        /// All of it.
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

    /// An empty log.
    public init() {}

    /// What was logged, the first line first.
    public var all: [Line] { kept.withLock { $0 } }

    /// A logger that writes here.
    public var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }
}
