/// How wide a network is that requests are counted by.
///
/// A household or a small company gets an IPv6 /56 or /48 (RFC 6177), and anyone who holds one may use each of its /64
/// networks, 65,536 of them. So an IPv6 client counts in three networks at once. The wider ones hold more people, and
/// allow more.
public enum NetworkWidth: Sendable, CaseIterable {
    /// An IPv4 address, or an IPv6 /64.
    case narrow
    /// An IPv6 /56.
    case slash56
    /// An IPv6 /48.
    case slash48

    /// How many times the limit of a narrow network applies: 1, 4 and 16.
    public var allowance: Int {
        switch self {
        case .narrow: 1
        case .slash56: 4
        case .slash48: 16
        }
    }

    /// The name in logs and explanations.
    public var name: String {
        switch self {
        case .narrow: "network"
        case .slash56: "network /56"
        case .slash48: "network /48"
        }
    }

    /// What a limit allows a network of this width, if it allows a narrow one `maximum`.
    public func maximum(_ maximum: Int) -> Int { maximum * allowance }

    /// What it allows of something that all networks share, such as the wrong passwords for one e-mail address or the
    /// new accounts of a project: 1, 2 and 4 times as much. Anyone who holds a /48 must not use up the share of all.
    public func maximumOfShare(_ maximum: Int) -> Int {
        switch self {
        case .narrow: maximum
        case .slash56: 2 * maximum
        case .slash48: 4 * maximum
        }
    }
}

/// The networks that a client's address is in, for one use: one of an IPv4 address, three of an IPv6 address.
///
/// All rate limits by network count in each of them, so that a client gets no more by changing its address within its
/// prefix.
public struct ClientNetworks: Hashable, Sendable {
    /// One of the networks.
    public struct Network: Hashable, Sendable {
        /// How Redis knows it.
        public let identity: NetworkIdentity
        /// How wide it is.
        public let width: NetworkWidth

        /// A network of this width.
        public init(_ identity: NetworkIdentity, _ width: NetworkWidth) {
            self.identity = identity
            self.width = width
        }
    }

    /// The IPv4 address or IPv6 /64.
    public let narrowest: NetworkIdentity
    /// The networks around it, the narrower one first; empty for IPv4.
    public let wider: [Network]

    /// The networks of one address.
    public init(narrowest: NetworkIdentity, wider: [Network] = []) {
        self.narrowest = narrowest
        self.wider = wider
    }

    /// All of them, the narrowest first.
    public var all: [Network] { [Network(narrowest, .narrow)] + wider }
}
