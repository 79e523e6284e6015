package import Encodings

/// What a command reports for programs: an object of `--json`, and of the operator's page.
package protocol ReportRecord {
    /// The value of the object's member `type`.
    static var type: String { get }
    /// The other members. Those without a value are absent.
    static var members: ReportMembers<Self> { get }
}

/// The members of an object, by name.
package typealias ReportMembers<Record> = KeyValuePairs<String, (Record) -> any ReportValue>

extension ReportRecord {
    /// The object.
    package var json: JSONObject {
        let members = Self.members.compactMap { name, value in value(self).json.map { (name: name, value: $0) } }
        return JSONObject(members: [("type", .string(Self.type))] + members)
    }

    /// A description of the type, for a command's help.
    package static var form: String { "\(type) (\(members.map(\.key).joined(separator: ", ")))" }
}

/// The value of a member.
package protocol ReportValue {
    /// The value; nil if the member is absent.
    var json: JSONValue? { get }
}

extension String: ReportValue { package var json: JSONValue? { .string(self) } }
extension Bool: ReportValue { package var json: JSONValue? { .bool(self) } }
extension Int: ReportValue { package var json: JSONValue? { .number("\(self)") } }
extension Int64: ReportValue { package var json: JSONValue? { .number("\(self)") } }
/// Milliseconds since the Unix epoch, as in the log.
extension Instant: ReportValue { package var json: JSONValue? { milliseconds.json } }
extension Array: ReportValue where Element: ReportValue { package var json: JSONValue? { .array(compactMap(\.json)) } }
extension Optional: ReportValue where Wrapped: ReportValue { package var json: JSONValue? { flatMap(\.json) } }

/// What a command prints and the operator's page shows: records for programs, each with its lines for people.
package struct Report {
    /// The records with their lines, in order. Lines without a record are for people only.
    package private(set) var parts: [(record: (any ReportRecord)?, lines: [String])] = []

    mutating func add(_ record: some ReportRecord, _ lines: [String] = []) {
        parts.append((record, lines))
    }

    mutating func add(lines: [String]) {
        parts.append((nil, lines))
    }
}
