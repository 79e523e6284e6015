/// A text message as sent to a gateway. It contains a code, so printing, interpolating or dumping it shows only the
/// type's name.
public struct MessageText: Sendable, Hashable {
    /// The text that the phone shows, including the ending. It must not reach logs.
    public let text: String
    /// The size of the message on the network.
    public let size: MessageSize

    /// Creates a message and measures it.
    public init(_ text: String) {
        self.text = text
        self.size = MessageSize(of: text)
    }
}

extension MessageText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type's name.
    public var description: String { "MessageText(…)" }
    /// The type's name.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
