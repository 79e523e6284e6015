internal import Encodings

/// A splitter that divides an account file into its records, chunk by chunk. It buffers one record at a time.
///
/// A file is a sequence of JSON objects. An object with a list `users` is a page of accounts, whatever else it has. Any
/// other object is an account. If the first object is an account on one line, each further line is an account, so an
/// invalid line does not affect others. An only object without a uid is no account, but another file.
public struct AccountFileSplitter {
    /// The next expected token.
    private enum Expectation {
        case document, nameOrEnd, name, colon, value, elementOrEnd, element, elementEnd, memberEnd
    }

    /// The purpose of the value that is being scanned.
    private enum Purpose {
        case name, value, element
    }

    /// The current object of the file.
    private struct Object {
        /// The line on which it begins.
        let line: Int
        /// The current member's name, in quotes, and its value; only the beginning if they are long.
        var name: [UInt8] = []
        var value: [UInt8] = []
        var isPage = false
        var hasKind = false
        var hasUID = false
        var hasNextPage = false

        init(line: Int) {
            self.line = line
        }

        func isNamed(_ name: StaticString) -> Bool {
            name.withUTF8Buffer { self.name.dropFirst().dropLast().elementsEqual($0) }
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The number of bytes of a name or a value that are examined.
    private static let examinedByteCount = 64

    private var expectation = Expectation.document
    private var scanned: (scanner: JSONValueScanner, purpose: Purpose)?
    /// The account so far: an object of the file, or an element of `users`.
    private var text = RecordText()
    private var object = Object(line: 1)
    private var objectCount = 0
    /// Whether the file's next pages are missing.
    private var hasNextPage = false
    /// The number of accounts on the file's pages.
    private var count = 0
    private var line = 1
    private var offset = 0
    /// How many bytes of a byte order mark the file begins with.
    private var markedByteCount = 0
    private var isCutInMark: Bool { markedByteCount % Self.byteOrderMark.count != 0 }
    /// The first object, if it has no uid: it is an account only if another one follows.
    private var doubtful: FileRecord?
    /// The rest of a file of lines.
    private var lines: LineSplitter?

    /// Creates a splitter for a file.
    public init() {}

    /// Reads the next bytes of the file, and passes each record that ends in them to `take`.
    /// - Throws: ``AccountFileError``; then nothing more can be read.
    public mutating func split(_ chunk: [UInt8], _ take: (FileRecord) -> Void) throws(AccountFileError) {
        var index = 0
        while index < chunk.count {
            if lines != nil {
                lines?.split(chunk[index...], take)
                break
            }
            if scanned != nil {
                index = scan(chunk, from: index, take)
            } else {
                try step(chunk[index], at: offset + index, take)
                index += 1
            }
        }
        offset += chunk.count
    }

    /// Passes the last record to `take`, if the end of the file completes it.
    /// - Throws: ``AccountFileError`` if the file, or its list of accounts, ends too early.
    public mutating func finish(_ take: (FileRecord) -> Void) throws(AccountFileError) {
        lines?.finish(take)
        guard expectation == .document else { throw .truncated }
        guard objectCount > 0 else { throw isCutInMark ? .notJSON : .empty }
        guard doubtful == nil, lines?.doubtful == nil else { throw .noAccounts }
        guard !hasNextPage else { throw .nextPageMissing(accountCount: count) }
    }

    private mutating func takeDoubtful(_ take: (FileRecord) -> Void) {
        if let doubtful { take(doubtful) }
        doubtful = nil
    }

    /// Handles a byte between values, or the first byte of a value.
    private mutating func step(
        _ byte: UInt8,
        at position: Int,
        _ take: (FileRecord) -> Void
    ) throws(AccountFileError) {
        if byte == UInt8(ascii: "\n") { endLine() }
        let isInside = expectation != .document
        if isInside {
            guard byte.isJSONWhiteSpace || advance(byte) else { throw .unexpectedByte(offset: position) }
        } else if position == markedByteCount, Self.byteOrderMark.dropFirst(position).first == byte {
            markedByteCount += 1
            return
        } else if byte == UInt8(ascii: "{"), !isCutInMark {
            object = Object(line: line)
            expectation = .nameOrEnd
        } else {
            guard byte.isJSONWhiteSpace, !isCutInMark else {
                guard objectCount == 0 else { throw .unexpectedByte(offset: position) }
                throw byte == UInt8(ascii: "[") && !isCutInMark ? .noAccounts : .notJSON
            }
            return
        }
        if scanned == nil, !object.isPage { text.append([byte]) }
        if isInside, expectation == .document { try endObject(take) }
    }

    /// Handles a byte between the values of an object; false if the byte is not allowed there.
    private mutating func advance(_ byte: UInt8) -> Bool {
        switch (expectation, byte) {
        case (.nameOrEnd, UInt8(ascii: "}")), (.memberEnd, UInt8(ascii: "}")): expectation = .document
        case (.nameOrEnd, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")): begin(.name, byte)
        case (.colon, UInt8(ascii: ":")): expectation = .value
        case (.value, UInt8(ascii: "[")) where object.isNamed("users"):
            object.isPage = true
            _ = text.finish()
            expectation = .elementOrEnd
        case (.value, _) where Self.startsValue(byte) && !object.isNamed("users"): begin(.value, byte)
        case (.elementOrEnd, UInt8(ascii: "]")), (.elementEnd, UInt8(ascii: "]")): expectation = .memberEnd
        case (.elementOrEnd, _) where Self.startsValue(byte), (.element, _) where Self.startsValue(byte):
            begin(.element, byte)
        case (.elementEnd, UInt8(ascii: ",")): expectation = .element
        case (.memberEnd, UInt8(ascii: ",")): expectation = .name
        default: return false
        }
        return true
    }

    /// Handles the end of a line that is not within a value.
    private mutating func endLine() {
        line += 1
        // The first object is an account, and the line that ends has no other.
        if expectation == .document, objectCount == 1, !object.isPage, object.line == line - 1 {
            lines = LineSplitter(startingAt: line, after: doubtful)
            doubtful = nil
        }
    }

    private mutating func endObject(_ take: (FileRecord) -> Void) throws(AccountFileError) {
        // A page without accounts has no list.
        object.isPage = object.isPage || object.hasKind && !object.hasUID
        if object.isPage { hasNextPage = object.hasNextPage }
        let content = text.finish()
        if !object.isPage {
            let record = FileRecord(place: .line(object.line), content: content)
            if object.hasUID || objectCount > 0 {
                takeDoubtful(take)
                take(record)
            } else {
                guard object.line == line else { throw .noAccounts }
                doubtful = record
            }
        }
        objectCount += 1
    }

    private mutating func begin(_ purpose: Purpose, _ first: UInt8) {
        scanned = (JSONValueScanner(first: first), purpose)
        if purpose == .name { (object.name, object.value) = ([], []) }
        collect([first], for: purpose)
    }

    /// Scans the current value within the chunk; returns the index after the scanned bytes.
    private mutating func scan(_ chunk: [UInt8], from start: Int, _ take: (FileRecord) -> Void) -> Int {
        guard let (current, purpose) = scanned else { return start }
        var scanner = current
        for index in start..<chunk.count {
            let position = scanner.step(chunk[index])
            if case .inside = position {
                if chunk[index] == UInt8(ascii: "\n") { line += 1 }
                continue
            }
            let end = if case .atEnd = position { index + 1 } else { index }
            collect(chunk[start..<end], for: purpose)
            scanned = nil
            finish(purpose, take)
            return end
        }
        collect(chunk[start...], for: purpose)
        scanned = (scanner, purpose)
        return chunk.count
    }

    private mutating func collect(_ bytes: ArraySlice<UInt8>, for purpose: Purpose) {
        switch purpose {
        case .name: object.name += bytes.prefix(Self.examinedByteCount - object.name.count)
        case .value: object.value += bytes.prefix(Self.examinedByteCount - object.value.count)
        case .element: break
        }
        if purpose == .element || !object.isPage { text.append(bytes) }
    }

    private mutating func finish(_ purpose: Purpose, _ take: (FileRecord) -> Void) {
        switch purpose {
        case .name:
            expectation = .colon
        case .value:
            if object.isNamed("kind") { object.hasKind = true }
            if object.isNamed("localId") || object.isNamed("local_id") { object.hasUID = true }
            if object.isNamed("nextPageToken") {
                object.hasNextPage = !["\"\"", "null"].contains { object.value.elementsEqual($0.utf8) }
            }
            expectation = .memberEnd
        case .element:
            takeDoubtful(take)
            take(FileRecord(place: .user(count), content: text.finish()))
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

/// The reason why a file cannot be read, or not further. The records before the error are valid.
public enum AccountFileError: Error, Equatable, CustomStringConvertible {
    /// The JSON around the accounts is malformed; the offset in bytes counts from the file's start.
    case unexpectedByte(offset: Int)
    /// The file ends before its JSON does.
    case truncated
    /// The file has no content.
    case empty
    /// The file is not JSON, for example a CSV file.
    case notJSON
    /// The file is JSON, but does not contain accounts.
    case noAccounts
    /// The file is not the last page of its list, which continues after so many accounts.
    case nextPageMissing(accountCount: Int)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .unexpectedByte(let offset): "invalid JSON at byte \(offset)"
        case .truncated: "the file is truncated"
        case .empty: "the file is empty"
        case .notJSON:
            "the file is not JSON; CSV files cannot be imported: export the accounts as JSON, with "
                + "\"firebase auth:export users.json\""
        case .noAccounts:
            "the file is JSON, but has neither a \"users\" list nor accounts with a localId: import what "
                + "\"firebase auth:export users.json\" or \"dialtone users export\" writes, or the accounts.json of "
                + "an emulator's export"
        case .nextPageMissing(let accountCount):
            "the file is a page of a longer list, and the accounts after the first \(accountCount) are missing: "
                + "request the next page with the file's nextPageToken, append it to the file, and import it again"
        }
    }
}
