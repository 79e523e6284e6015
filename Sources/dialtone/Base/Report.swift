import ArgumentParser
import Encodings

/// What a command reports: lines for people or, with `--json`, an object for programs.
protocol ReportRecord {
    /// The value of the object's member `type`.
    static var type: String { get }
    /// The other members. Those without a value are absent.
    static var members: ReportMembers<Self> { get }
}

typealias ReportMembers<Record> = KeyValuePairs<String, (Record) -> any ReportValue>

extension ReportRecord {
    fileprivate var json: String {
        let members = Self.members.compactMap { name, value in value(self).json.map { (name: name, value: $0) } }
        var json = JSONWriter()
        json.value(.object(JSONObject(members: [("type", .string(Self.type))] + members)))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    fileprivate static var form: String { "\(type) (\(members.map(\.key).joined(separator: ", ")))" }
}

/// The option of all commands that report.
struct ReportOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object per line.") var isJSON = false

    /// Returns the part of a command's help that describes the objects.
    static func help(_ records: any ReportRecord.Type...) -> String {
        "With --json, the types of objects (and their members): \(records.map { $0.form }.joined(separator: "; "))."
    }

    func print(_ record: some ReportRecord, _ lines: @autoclosure () -> [String]) {
        for line in isJSON ? [record.json] : lines() { printLine(line) }
    }

    /// Prints a line for people only.
    func printTitle(_ line: @autoclosure () -> String) {
        if !isJSON { printLine(line()) }
    }
}

/// A named value.
struct Fact: ReportRecord {
    let name: String
    let value: String

    static let type = "fact"
    static var members: ReportMembers<Self> { ["name": { $0.name }, "value": { $0.value }] }
}

extension ReportOptions {
    func printFact(_ name: String, _ value: String) {
        print(Fact(name: name, value: value), [name + String(repeating: " ", count: 13 - name.count) + value])
    }
}

/// The value of a member.
protocol ReportValue {
    var json: JSONValue? { get }
}

extension String: ReportValue { var json: JSONValue? { .string(self) } }
extension Bool: ReportValue { var json: JSONValue? { .bool(self) } }
extension Int: ReportValue { var json: JSONValue? { .number("\(self)") } }
extension Int64: ReportValue { var json: JSONValue? { .number("\(self)") } }
/// Milliseconds since the Unix epoch, as in the log.
extension Instant: ReportValue { var json: JSONValue? { milliseconds.json } }
extension Array: ReportValue where Element: ReportValue { var json: JSONValue? { .array(compactMap(\.json)) } }
extension Optional: ReportValue where Wrapped: ReportValue { var json: JSONValue? { flatMap(\.json) } }
