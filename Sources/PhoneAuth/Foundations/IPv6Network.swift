/// The /64 of an IPv6 address, and the wider networks around it.
///
/// Clients change the lower 64 bits of their address at will (RFC 8981), so nothing is ever counted by full address.
struct IPv6Network: Hashable {
    /// The four groups of the first 64 bits.
    private let groups: [UInt16]

    /// Parses an address in any spelling. Returns nil for IPv4 addresses and IPv4-mapped ones such as
    /// `::ffff:192.0.2.1`: a /64 of mapped addresses would be the whole Internet.
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

    /// Returns the one spelling of the network with a prefix of `bits` bits, 48 to 64.
    func text(bits: Int) -> String {
        var kept = groups
        kept[3] &= UInt16.max << (64 - bits)
        return kept.map { String($0, radix: 16) }.joined(separator: ":") + "::/\(bits)"
    }

    /// Returns the /64 of an IPv6 address in one spelling; other addresses unchanged.
    static func narrowest(of address: String) -> String { IPv6Network(ofAddress: address)?.text(bits: 64) ?? address }
}
