/// The /64 that an IPv6 address is in, and the wider networks around it.
///
/// Clients change the lower half of their address at will (RFC 8981), so nothing is ever counted by all of it.
struct IPv6Network: Hashable {
    /// The four groups of the first 64 bits.
    private let groups: [UInt16]

    /// Reads an address in any spelling; nil if it is an IPv4 address, or one in IPv6 notation such as
    /// `::ffff:192.0.2.1`: a /64 of those would be the whole Internet.
    init?(ofAddress address: String) {
        let bytes = address.utf8
        guard bytes.contains(UInt8(ascii: ":")), !bytes.contains(UInt8(ascii: ".")) else { return nil }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let head = Self.groups(halves[0])
        let tail = halves.count == 2 ? Self.groups(halves[1]) : []
        let zeros = [UInt16](repeating: 0, count: max(0, 8 - head.count - tail.count))
        groups = Array((head + zeros + tail).prefix(4))
    }

    private static func groups(_ text: Substring) -> [UInt16] {
        text.split(separator: ":").map { UInt16($0, radix: 16) ?? 0 }
    }

    /// The one spelling of the network of this many bits, 48 to 64.
    func text(bits: Int) -> String {
        var kept = groups
        kept[3] &= UInt16.max << (64 - bits)
        return kept.map { String($0, radix: 16) }.joined(separator: ":") + "::/\(bits)"
    }
}
