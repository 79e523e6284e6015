import Encodings
import Glibc
import Logging
import PhoneAuth

/// Writes each log event as one line of JSON to standard error, in one write, so that lines of several threads and processes
/// never mix.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var json = JSONWriter(reservingBytes: 384)
        json.object { json in
            json.member("time", Environment.system.now().milliseconds)
            json.member("level", event.level.rawValue)
            json.member("message", event.message.description)
            for (name, value) in metadata { json.member(name, value.description) }
            for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
                // Numbers stay numbers, so that a log's reader can compare them.
                if case .stringConvertible(let convertible) = value, let number = convertible as? Int {
                    json.member(name, Int64(number))
                } else {
                    json.member(name, value.description)
                }
            }
        }
        writeAll(json.bytes + [UInt8(ascii: "\n")], to: STDERR_FILENO)
    }
}
