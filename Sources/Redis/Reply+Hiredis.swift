import CHiredis

extension Reply {
    /// hiredis itself refuses arrays nested more than seven deep.
    private static let maxDepth = 8

    /// Copies a reply out of hiredis's memory, which remains to be freed.
    ///
    /// - Throws: ``RedisError/protocolViolation(_:)`` for a type that RESP2 does not have.
    init(copying reply: redisReply, depth: Int = 0) throws(RedisError) {
        switch reply.type {
        case REDIS_REPLY_NIL: self = .null
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .bytes([UInt8](reply.text))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: reply.text, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(ServerError(line: String(decoding: reply.text, as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            guard depth < Self.maxDepth else { throw .protocolViolation("a reply is nested too deeply") }
            var elements: [Reply] = []
            elements.reserveCapacity(reply.elements)
            for index in 0..<reply.elements {
                guard let element = reply.element?[index] else { throw .protocolViolation("a reply has a gap") }
                elements.append(try Reply(copying: element.pointee, depth: depth + 1))
            }
            self = .array(elements)
        default: throw .protocolViolation("a reply has the unknown type \(reply.type)")
        }
    }
}

extension redisReply {
    fileprivate var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: str, count: len) }
}
