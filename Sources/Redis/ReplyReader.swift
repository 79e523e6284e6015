import CHiredis

/// A parser of replies from the bytes that a server sends.
///
/// hiredis parses the protocol and calls the functions below for each value. They build the ``Reply`` directly, so that
/// each value is created only once.
struct ReplyReader: ~Copyable {
    private let reader: UnsafeMutablePointer<redisReader>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    private let builder: UnsafeMutablePointer<ReplyBuilder>

    /// Creates a reader. Throws ``RedisError/unavailable(_:)`` if memory is exhausted.
    init() throws(RedisError) {
        functions = .allocate(capacity: 1)
        // Field by field, because hiredis 1.0 and later have more fields, all of them for types that RESP2 does not
        // have.
        functions.initialize(to: redisReplyObjectFunctions())
        functions.pointee.createString = { task, text, length in
            build(task) { builder, type in
                let text = UnsafeRawBufferPointer(start: text, count: length)
                if let value = Reply(type, text) { builder.add(value) } else { builder.refuse() }
            }
        }
        functions.pointee.createArray = { task, count in
            build(task) { builder, type in
                if type == REDIS_REPLY_ARRAY { builder.beginArray(of: Int(count)) } else { builder.refuse() }
            }
        }
        functions.pointee.createInteger = { task, value in build(task) { builder, _ in builder.add(.integer(value)) } }
        functions.pointee.createNil = { task in build(task) { builder, _ in builder.add(.null) } }
        guard let reader = redisReaderCreateWithFunctions(functions) else {
            functions.deallocate()
            throw .unavailable("out of memory for a connection")
        }
        self.reader = reader
        builder = .allocate(capacity: 1)
        builder.initialize(to: ReplyBuilder())
        reader.pointee.privdata = UnsafeMutableRawPointer(builder)
    }

    deinit {
        redisReaderFree(reader)
        functions.deallocate()
        builder.deinitialize(count: 1)
        builder.deallocate()
    }

    /// Appends bytes from the server. Returns false if memory is exhausted.
    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        redisReaderFeed(reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == REDIS_OK
    }

    /// Returns the next reply; nil if it has not arrived completely.
    ///
    /// - Throws: ``RedisError/protocolViolation(_:)``; after that, each further call throws it, too.
    func next() throws(RedisError) -> Reply? {
        var end: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &end) == REDIS_OK else { throw .protocolViolation(reason) }
        let reply = builder.pointee.takeReply()
        // hiredis itself handles types for which there is no function here. The reply then lacks an element.
        guard !builder.pointee.isRefused, (end == nil) == (reply == nil) else {
            builder.pointee.refuse()
            throw .protocolViolation("a reply has a type that RESP2 does not have, or too many nested arrays")
        }
        return reply
    }

    /// Whether bytes were added that do not belong to any reply so far.
    var hasUnreadBytes: Bool { reader.pointee.pos < reader.pointee.len }

    /// hiredis's message about a protocol error.
    private var reason: String {
        withUnsafeBytes(of: &reader.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Adds a value to the reply that a task is part of.
///
/// - Returns: a pointer that represents the value in hiredis, which only compares it with NULL.
private func build(
    _ task: UnsafePointer<redisReadTask>?,
    _ add: (inout ReplyBuilder, _ type: Int32) -> Void
) -> UnsafeMutableRawPointer? {
    guard let task, let builder = task.pointee.privdata else { return nil }
    add(&builder.assumingMemoryBound(to: ReplyBuilder.self).pointee, task.pointee.type)
    return builder
}

extension Reply {
    /// Creates a value that hiredis passes as text; returns nil if RESP2 does not have the type.
    fileprivate init?(_ type: Int32, _ text: UnsafeRawBufferPointer) {
        switch type {
        case REDIS_REPLY_STATUS: self = .status(String(decoding: text, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(ServerError(line: String(decoding: text, as: UTF8.self)))
        case REDIS_REPLY_STRING: self = .bytes([UInt8](text))
        default: return nil
        }
    }
}

/// A builder that assembles a reply from its values, in the order in which they arrive.
struct ReplyBuilder {
    /// An array whose elements have not all arrived.
    private struct OpenArray {
        var elements: [Reply]
        let count: Int
    }

    /// The maximum number of elements for which an array reserves memory before they arrive, because a server may
    /// announce any number.
    private static let maxReservedElements = 1024

    /// The maximum number of open arrays, more than any reply has. hiredis since 1.0 has no limit.
    private static let maxDepth = 7

    /// The open arrays, outermost first.
    private var openArrays: [OpenArray] = []
    private var reply: Reply?
    /// Whether a value was rejected. Later values cannot be assembled correctly.
    private(set) var isRefused = false

    /// Adds a value, or an array with all its elements.
    mutating func add(_ value: Reply) {
        guard let last = openArrays.indices.last else { return reply = value }
        openArrays[last].elements.append(value)
        if openArrays[last].elements.count == openArrays[last].count { add(.array(openArrays.removeLast().elements)) }
    }

    /// Begins an array, whose elements follow.
    mutating func beginArray(of count: Int) {
        guard openArrays.count < Self.maxDepth else { return refuse() }
        if count == 0 { return add(.array([])) }
        var elements: [Reply] = []
        elements.reserveCapacity(min(count, Self.maxReservedElements))
        openArrays.append(OpenArray(elements: elements, count: count))
    }

    /// Rejects a value whose type ``Reply`` does not have, or which is nested too deep.
    mutating func refuse() { isRefused = true }

    /// Returns the reply and removes it; returns nil if the reply is not complete.
    mutating func takeReply() -> Reply? { reply.take() }
}
