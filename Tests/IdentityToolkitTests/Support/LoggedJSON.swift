import Encodings
import IdentityToolkit
import Logging
import Synchronization

/// Records the members that a JSON log handler receives.
final class LoggedJSON: Sendable {
    struct Handler: JSONMembersLogHandler {
        let lines: LoggedJSON
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {}

        func log(level: Logger.Level, message: String, writeMembers: (inout JSONWriter) -> Void) {
            let document = JSONWriter.object(writeMembers)
            lines.kept.withLock { $0.append((level, document)) }
        }
    }

    fileprivate let kept = Mutex<[(level: Logger.Level, document: [UInt8])]>([])

    var all: [(level: Logger.Level, document: [UInt8])] { kept.withLock { $0 } }
}
