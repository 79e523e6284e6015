/// A splitter that divides the rest of a file into lines. Empty lines are skipped.
struct LineSplitter {
    private var text = RecordText()
    private var number: Int
    /// The record before the lines, which is passed on only if a line follows.
    private(set) var doubtful: FileRecord?

    /// Creates a splitter; `number` is that of the first line.
    init(startingAt number: Int, after doubtful: FileRecord?) {
        self.number = number
        self.doubtful = doubtful
    }

    mutating func split(_ chunk: ArraySlice<UInt8>, _ take: (FileRecord) -> Void) {
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            text.append(rest[..<end])
            finish(take)
            number += 1
            rest = rest[(end + 1)...]
        }
        text.append(rest)
    }

    /// Passes the text after the last line ending to `take`.
    mutating func finish(_ take: (FileRecord) -> Void) {
        let isBlank = text.isBlank
        let content = text.finish()
        guard !isBlank else { return }
        if let doubtful { take(doubtful) }
        doubtful = nil
        take(FileRecord(place: .line(number), content: content))
    }
}
