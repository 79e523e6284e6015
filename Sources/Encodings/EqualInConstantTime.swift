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
