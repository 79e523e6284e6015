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
