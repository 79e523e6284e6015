import ArgumentParser
import Encodings
import Reports

/// The option of all commands that report.
struct ReportOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON object per line.") var isJSON = false

    /// Returns the part of a command's help that describes the objects.
    static func help(_ records: any ReportRecord.Type...) -> String { help(records) }

    /// Returns the part of a command's help that describes the objects.
    static func help(_ records: [any ReportRecord.Type]) -> String {
        "With --json, the types of objects (and their members): \(records.map { $0.form }.joined(separator: "; "))."
    }

    func print(_ record: some ReportRecord, _ lines: @autoclosure () -> [String]) {
        for line in isJSON ? [Self.line(record)] : lines() { printLine(line) }
    }

    func print(_ report: Report) {
        for part in report.parts {
            if !isJSON {
                for line in part.lines { printLine(line) }
            } else if let record = part.record {
                printLine(Self.line(record))
            }
        }
    }

    private static func line(_ record: some ReportRecord) -> String {
        var json = JSONWriter()
        json.value(.object(record.json))
        return String(decoding: json.bytes, as: UTF8.self)
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
