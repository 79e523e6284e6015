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

/// Compares bytes in constant time. The lengths are not secret.
///
/// - Parameters:
///   - left: the first bytes.
///   - right: the second bytes.
/// - Returns: whether the bytes are equal.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
