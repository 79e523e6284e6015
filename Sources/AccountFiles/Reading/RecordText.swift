/// The bytes of a record, as far as they are read.
struct RecordText {
    private var bytes: [UInt8] = []
    private var isTooLong = false

    mutating func append(_ more: ArraySlice<UInt8>) {
        if isTooLong || bytes.count + more.count > FileRecord.maximumByteCount {
            isTooLong = true
        } else {
            bytes += more
        }
    }

    /// Whether the text is only whitespace.
    var isBlank: Bool { !isTooLong && bytes.allSatisfy(\.isJSONWhiteSpace) }

    /// Returns the text, or nil if it is too long, and begins the next one.
    mutating func finish() -> [UInt8]? {
        defer {
            bytes.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        return isTooLong ? nil : bytes
    }
}

extension UInt8 {
    /// Whether the byte is whitespace in JSON (RFC 8259 § 2).
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
