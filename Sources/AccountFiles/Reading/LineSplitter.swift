/// A splitter that divides a file into lines. Empty lines are skipped.
struct LineSplitter {
    private var line: [UInt8] = []
    private var number = 1
    private var isTooLong = false

    mutating func split(_ chunk: [UInt8], _ take: (FileRecord) -> Void) {
        var start = 0
        while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
            append(chunk[start..<end])
            finish(take)
            number += 1
            start = end + 1
        }
        append(chunk[start...])
    }

    /// Passes the text after the last line ending to `take`.
    mutating func finish(_ take: (FileRecord) -> Void) {
        if isTooLong {
            take(FileRecord(place: .line(number), content: nil))
        } else if !line.allSatisfy(\.isJSONWhiteSpace) {
            take(FileRecord(place: .line(number), content: line))
        }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if isTooLong || line.count + bytes.count > FileRecord.maximumByteCount {
            isTooLong = true
        } else {
            line += bytes
        }
    }
}

extension UInt8 {
    /// Whether the byte is whitespace in JSON (RFC 8259 § 2).
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
