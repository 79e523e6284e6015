/// A splitter that extracts the elements of the list `users` from a JSON object of any size.
struct UserListSplitter {
    /// The next expected token.
    private enum Expectation {
        case document, nameOrEnd, name, colon, value, elementOrEnd, element, elementEnd, memberEnd, nothing
    }

    /// The purpose of the value that is being scanned.
    private enum Purpose {
        case name, passedOver, element
    }

    private var expectation = Expectation.document
    private var scanned: (scanner: JSONValueScanner, purpose: Purpose)?
    private var collected: [UInt8] = []
    private var isTooLong = false
    private var isUsers = false
    private var hasUsers = false
    private var count = 0
    private var offset: Int

    /// Creates a splitter; `offset` is the number of bytes in the file before the object.
    init(startingAt offset: Int) {
        self.offset = offset
    }

    mutating func split(_ chunk: [UInt8], _ take: (FileRecord) -> Void) throws(AccountFileError) {
        var index = 0
        while index < chunk.count {
            if scanned != nil {
                index = scan(chunk, from: index, take)
            } else if chunk[index].isJSONWhiteSpace {
                index += 1
            } else {
                guard step(chunk[index]) else { throw .unexpectedByte(offset: offset + index) }
                index += 1
            }
        }
        offset += chunk.count
    }

    func finish() throws(AccountFileError) {
        guard case .nothing = expectation, scanned == nil else { throw .truncated }
        guard hasUsers else { throw .noUsers }
    }

    /// Handles a byte between values, or the first byte of a value; false if the byte is not allowed there.
    private mutating func step(_ byte: UInt8) -> Bool {
        switch (expectation, byte) {
        case (.document, UInt8(ascii: "{")): expectation = .nameOrEnd
        case (.nameOrEnd, UInt8(ascii: "}")), (.memberEnd, UInt8(ascii: "}")): expectation = .nothing
        case (.nameOrEnd, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")): begin(.name, byte)
        case (.colon, UInt8(ascii: ":")): expectation = .value
        case (.value, UInt8(ascii: "[")) where isUsers:
            hasUsers = true
            expectation = .elementOrEnd
        case (.value, _) where !isUsers && Self.startsValue(byte): begin(.passedOver, byte)
        case (.elementOrEnd, UInt8(ascii: "]")), (.elementEnd, UInt8(ascii: "]")): expectation = .memberEnd
        case (.elementOrEnd, _) where Self.startsValue(byte), (.element, _) where Self.startsValue(byte):
            begin(.element, byte)
        case (.elementEnd, UInt8(ascii: ",")): expectation = .element
        case (.memberEnd, UInt8(ascii: ",")): expectation = .name
        default: return false
        }
        return true
    }

    private mutating func begin(_ purpose: Purpose, _ first: UInt8) {
        scanned = (JSONValueScanner(first: first), purpose)
        collected = [first]
        isTooLong = false
    }

    /// Scans the current value within the chunk; returns the index after the scanned bytes.
    private mutating func scan(_ chunk: [UInt8], from start: Int, _ take: (FileRecord) -> Void) -> Int {
        guard let scanned else { return start }
        var scanner = scanned.scanner
        let purpose = scanned.purpose
        for index in start..<chunk.count {
            let position = scanner.step(chunk[index])
            if case .inside = position { continue }
            let end = if case .atEnd = position { index + 1 } else { index }
            collect(chunk[start..<end], for: purpose)
            self.scanned = nil
            finish(purpose, take)
            return end
        }
        collect(chunk[start...], for: purpose)
        self.scanned = (scanner, purpose)
        return chunk.count
    }

    private mutating func collect(_ bytes: ArraySlice<UInt8>, for purpose: Purpose) {
        if case .passedOver = purpose { return }
        if isTooLong || collected.count + bytes.count > FileRecord.maximumByteCount {
            isTooLong = true
        } else {
            collected += bytes
        }
    }

    private mutating func finish(_ purpose: Purpose, _ take: (FileRecord) -> Void) {
        switch purpose {
        case .name:
            isUsers = collected.elementsEqual("\"users\"".utf8)
            expectation = .colon
        case .passedOver:
            expectation = .memberEnd
        case .element:
            take(FileRecord(place: .user(count), content: isTooLong ? nil : collected))
            count += 1
            expectation = .elementEnd
        }
    }

    private static func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
