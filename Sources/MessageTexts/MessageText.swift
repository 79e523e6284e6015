/// A text message as it goes to a gateway. It carries a code: printed, interpolated or dumped it shows its type's name.
public struct MessageText: Sendable, Hashable {
    /// What the phone shows, ending included. Never belongs in a log.
    public let text: String
    /// What the message takes of the network.
    public let size: MessageSize

    /// Makes a message of a text and measures it.
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
