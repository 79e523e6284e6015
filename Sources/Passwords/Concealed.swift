/// A value that holds a password, a hash of one or a key: printed, interpolated or dumped it shows its type's name.
public protocol Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Concealed {
    /// The type's name.
    public var description: String { "\(Self.self)(…)" }
    /// The type's name.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
