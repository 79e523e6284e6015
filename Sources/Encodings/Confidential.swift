/// A value that contains a secret, a phone number or a message text. Printed, interpolated or dumped, it shows only its
/// type's name.
public protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Confidential {
    /// The type's name.
    public var description: String { "\(Self.self)(…)" }
    /// The type's name.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
