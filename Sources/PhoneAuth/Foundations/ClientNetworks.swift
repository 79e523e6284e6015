/// The width of a network by which requests are counted.
///
/// A household or a small company gets an IPv6 /56 or /48 (RFC 6177), and its holder may use each of its /64 networks,
/// up to 65,536. An IPv6 client therefore counts in three networks at once. The wider networks have more people and
/// higher limits.
public enum NetworkWidth: Sendable, CaseIterable {
    /// An IPv4 address, or an IPv6 /64.
    case narrow
    /// An IPv6 /56.
    case slash56
    /// An IPv6 /48.
    case slash48

    /// The factor by which the limit of a narrow network is multiplied: 1, 4 and 16.
    var allowance: Int {
        switch self {
        case .narrow: 1
        case .slash56: 4
        case .slash48: 16
        }
    }

    /// The name in logs and explanations.
    var name: String {
        switch self {
        case .narrow: "network"
        case .slash56: "network /56"
        case .slash48: "network /48"
        }
    }

    /// Returns a limit's maximum for a network of this width, given the `maximum` of a narrow one.
    func maximum(_ maximum: Int) -> Int { maximum * allowance }

    /// Returns the maximum for something that all networks share, such as the wrong passwords for one e-mail address or
    /// the new accounts of a project: 1, 2 and 4 times as much. The holder of a /48 must not be able to use up
    /// everyone's share.
    func maximumOfShare(_ maximum: Int) -> Int {
        switch self {
        case .narrow: maximum
        case .slash56: 2 * maximum
        case .slash48: 4 * maximum
        }
    }
}

/// The networks of a client's address, hashed for one use: one network for an IPv4 address, three for an IPv6 address.
///
/// All rate limits by network count in each of them, so that a client gains nothing by changing its address within its
/// prefix.
public struct ClientNetworks: Hashable, Sendable {
    /// One of the client's networks.
    public struct Network: Hashable, Sendable {
        /// The network's keyed hash.
        let identity: NetworkIdentity
        /// The network's width.
        let width: NetworkWidth

        /// Creates a network of this width.
        public init(_ identity: NetworkIdentity, _ width: NetworkWidth) {
            self.identity = identity
            self.width = width
        }
    }

    /// The IPv4 address or IPv6 /64.
    let narrowest: NetworkIdentity
    /// The networks that contain it, the narrower one first; empty for IPv4.
    private(set) var wider: [Network] = []

    /// All networks, the narrowest first.
    var all: [Network] { [Network(narrowest, .narrow)] + wider }
}
