public import Encodings
public import Logging

/// A log handler that writes JSON and takes an event's members as they are.
///
/// swift-log's metadata is a dictionary, and to make, sort and print one costs a tenth of all that a request costs. So a
/// handler that conforms to this gets a request's members this way; every other gets the same ones as metadata.
public protocol JSONMembersLogHandler: LogHandler {
    /// Writes one event; `writeMembers` adds its members to those that every event has.
    func log(level: Logger.Level, message: String, writeMembers: (inout JSONWriter) -> Void)
}
