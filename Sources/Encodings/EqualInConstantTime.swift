/// Compares without telling by its time where the difference is; the lengths are not secret.
///
/// - Parameters:
///   - left: one side.
///   - right: the other.
/// - Returns: whether all bytes are the same.
public func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
