public import Encodings
public import Logging

/// A log handler that writes JSON and takes an event's members directly.
///
/// swift-log's metadata is a dictionary. Building, sorting and printing it takes a tenth of the time of the whole
/// request. A handler that conforms to this protocol gets the members directly; any other handler gets the same members
/// as metadata.
public protocol JSONMembersLogHandler: LogHandler {
    /// Writes one event; `writeMembers` adds its members to those of every event.
    func log(level: Logger.Level, message: String, writeMembers: (inout JSONWriter) -> Void)
}
