public import Redis

/// A reply from Redis, parsed as the scripts' headers describe it. Its functions throw
/// ``StoreUnavailable/unexpectedReply`` if the reply has another form.
public struct ScriptReply {
    private let reply: Reply

    /// Wraps a reply.
    public init(_ reply: Reply) {
        self.reply = reply
    }

    /// Whether the reply is null.
    public var isNull: Bool { reply == .null }

    /// The bytes that the reply is; nil if it is anything else.
    public var bytes: [UInt8]? { reply.bytes }

    /// Returns the word that a script's reply consists of or begins with.
    public func outcome() throws(StoreUnavailable) -> String {
        if case .bytes = reply { try text() } else { try text(at: 0) }
    }

    /// The values by name in a reply to `INFO`; nil if the command failed.
    public var information: [String: String]? { reply.information }

    /// The number that the reply is; nil if it is anything else.
    public var number: Int64? { if case .integer(let value) = reply { value } else { nil } }

    /// Returns the number that the reply is.
    public func integer() throws(StoreUnavailable) -> Int64 {
        guard let number else { throw .unexpectedReply }
        return number
    }

    /// Returns the number at a position of an array.
    public func integer(at index: Int) throws(StoreUnavailable) -> Int64 { try self.reply(at: index).integer() }

    /// Returns the numbers that follow the first element of an array.
    public func numbers() throws(StoreUnavailable) -> [Int64] {
        var numbers: [Int64] = []
        for element in try elements().dropFirst() {
            guard case .integer(let number) = element else { throw .unexpectedReply }
            numbers.append(number)
        }
        return numbers
    }

    /// Returns the bytes at a position of an array.
    public func bytes(at index: Int) throws(StoreUnavailable) -> [UInt8] {
        guard case .bytes(let bytes) = try elements()[checked: index] else { throw .unexpectedReply }
        return bytes
    }

    /// Returns the text at a position of an array.
    public func text(at index: Int) throws(StoreUnavailable) -> String {
        String(decoding: try bytes(at: index), as: UTF8.self)
    }

    /// Returns the element at a position of an array.
    public func reply(at index: Int) throws(StoreUnavailable) -> ScriptReply {
        guard let element = try elements()[checked: index] else { throw .unexpectedReply }
        return ScriptReply(element)
    }

    /// Returns the elements of an array.
    public func replies() throws(StoreUnavailable) -> [ScriptReply] { try elements().map(ScriptReply.init) }

    /// Returns the text that the reply is.
    public func text() throws(StoreUnavailable) -> String {
        guard case .bytes(let bytes) = reply else { throw .unexpectedReply }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the texts of an array that may contain nulls.
    public func optionalTexts() throws(StoreUnavailable) -> [String?] {
        try elements().map { if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    /// Returns the value that follows a name in an array of names and values.
    public func reply(named name: String) throws(StoreUnavailable) -> ScriptReply {
        let elements = try elements()
        for index in stride(from: 0, to: elements.count - 1, by: 2) where elements[index] == .bytes(Array(name.utf8)) {
            return ScriptReply(elements[index + 1])
        }
        throw .unexpectedReply
    }

    /// Returns the number that follows a name in an array of names and values.
    public func integer(named name: String) throws(StoreUnavailable) -> Int64 { try reply(named: name).integer() }

    /// Returns the text that follows a name in an array of names and values.
    public func text(named name: String) throws(StoreUnavailable) -> String { try reply(named: name).text() }

    /// Returns the texts of an array, without elements that are none.
    public func texts() throws(StoreUnavailable) -> [String] {
        var texts: [String] = []
        for case .bytes(let bytes) in try elements() { texts.append(String(decoding: bytes, as: UTF8.self)) }
        return texts
    }

    /// Returns the rest of the array from `start` on as the fields of a hash.
    public func fields(from start: Int) -> HashFields {
        guard case .array(let elements) = reply else { return HashFields([]) }
        return HashFields(elements.dropFirst(start))
    }

    private func elements() throws(StoreUnavailable) -> [Reply] {
        guard case .array(let elements) = reply else { throw .unexpectedReply }
        return elements
    }
}

extension Array {
    fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
