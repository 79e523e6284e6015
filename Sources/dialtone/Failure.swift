/// An error that ends a command, as lines that say what is wrong and where. Most failures have one line.
struct Failure: Error, CustomStringConvertible {
    let lines: [String]

    init(_ line: String) {
        self.init(lines: [line])
    }

    init(lines: [String]) {
        self.lines = lines
    }

    var description: String { lines.joined(separator: "\n") }
}
