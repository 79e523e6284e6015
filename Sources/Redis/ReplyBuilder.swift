/// Puts a reply together from its values in the order in which they arrive.
struct ReplyBuilder {
    /// An array whose elements have not all arrived.
    private struct OpenArray {
        var elements: [Reply]
        let count: Int
    }

    /// The most elements that an array reserves memory for before they arrive: a server can announce any number.
    private static let maxReservedElements = 1024

    /// The outermost array first.
    private var openArrays: [OpenArray] = []
    private var reply: Reply?
    /// Whether a value was refused: what follows would be put together wrongly.
    private(set) var isRefused = false

    /// Adds a value, or an array with all its elements.
    mutating func add(_ value: Reply) {
        guard let last = openArrays.indices.last else { return reply = value }
        openArrays[last].elements.append(value)
        if openArrays[last].elements.count == openArrays[last].count { add(.array(openArrays.removeLast().elements)) }
    }

    /// Adds an array, whose elements follow.
    mutating func beginArray(of count: Int) {
        if count == 0 { return add(.array([])) }
        var elements: [Reply] = []
        elements.reserveCapacity(min(count, Self.maxReservedElements))
        openArrays.append(OpenArray(elements: elements, count: count))
    }

    /// Refuses a value whose type no ``Reply`` has.
    mutating func refuse() { isRefused = true }

    /// Returns the reply and forgets it; nil if it is not complete.
    mutating func takeReply() -> Reply? { reply.take() }
}
