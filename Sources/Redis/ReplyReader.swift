import CHiredis

/// Reads replies out of the bytes that a server sends.
///
/// hiredis parses the protocol and calls the functions below for each value that it finds. They build the ``Reply``
/// itself, so that no value is made twice. hiredis refuses arrays nested more than seven deep.
struct ReplyReader: ~Copyable {
    private let reader: UnsafeMutablePointer<redisReader>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    private let builder: UnsafeMutablePointer<ReplyBuilder>

    /// Throws ``RedisError/unavailable(_:)`` if there is no memory.
    init() throws(RedisError) {
        functions = .allocate(capacity: 1)
        functions.initialize(
            to: redisReplyObjectFunctions(
                createString: { task, text, length in
                    build(task) { $0.add(Reply($1, UnsafeRawBufferPointer(start: text, count: length))) }
                },
                createArray: { task, count in build(task) { builder, _ in builder.beginArray(of: Int(count)) } },
                createInteger: { task, value in build(task) { builder, _ in builder.add(.integer(value)) } },
                createNil: { task in build(task) { builder, _ in builder.add(.null) } },
                freeObject: nil
            )
        )
        guard let reader = redisReaderCreateWithFunctions(functions) else {
            functions.deallocate()
            throw .unavailable("no memory for a connection")
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

    /// Takes bytes from the server; false if there is no memory for them.
    func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        redisReaderFeed(reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == REDIS_OK
    }

    /// Returns the next reply, or nil if its end has not arrived yet.
    ///
    /// - Throws: ``RedisError/protocolViolation(_:)``, and from then on each time.
    func next() throws(RedisError) -> Reply? {
        guard redisReaderGetReply(reader, nil) == REDIS_OK else { throw .protocolViolation(reason) }
        return builder.pointee.takeReply()
    }

    /// Whether bytes have been fed that belong to no reply so far.
    var hasUnreadBytes: Bool { reader.pointee.pos < reader.pointee.len }

    /// hiredis's own words about the protocol.
    private var reason: String {
        withUnsafeBytes(of: &reader.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Adds to the reply that a task is part of.
///
/// - Returns: what stands for the value in hiredis, which only compares it with NULL.
private func build(
    _ task: UnsafePointer<redisReadTask>?,
    _ add: (inout ReplyBuilder, _ type: Int32) -> Void
) -> UnsafeMutableRawPointer? {
    guard let task, let builder = task.pointee.privdata else { return nil }
    add(&builder.assumingMemoryBound(to: ReplyBuilder.self).pointee, task.pointee.type)
    return builder
}

extension Reply {
    /// A value that hiredis passes as text.
    fileprivate init(_ type: Int32, _ text: UnsafeRawBufferPointer) {
        switch type {
        case REDIS_REPLY_STATUS: self = .status(String(decoding: text, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(ServerError(line: String(decoding: text, as: UTF8.self)))
        default: self = .bytes([UInt8](text))
        }
    }
}
