/// Which gateways send to which numbers, in which order: the first is tried first, the next on a definite failure.
///
/// The longest prefix that a number begins with decides; where there is none, its region; where there is none, the default.
public struct GatewayRoutes: Equatable, Sendable {
    let prefixes: [String: [GatewayName]]
    let regions: [String: [GatewayName]]
    let fallback: [GatewayName]

    /// One way for all numbers.
    ///
    /// - Parameters:
    ///   - first: the gateway that is tried first: there must be one.
    ///   - further: the others in their order.
    public init(_ first: GatewayName, _ further: GatewayName...) {
        self.init(prefixes: [:], regions: [:], fallback: [first] + further)
    }

    init(prefixes: [String: [GatewayName]], regions: [String: [GatewayName]], fallback: [GatewayName]) {
        self.prefixes = prefixes
        self.regions = regions
        self.fallback = fallback
    }

    /// The gateways for a number, one at least.
    ///
    /// - Parameters:
    ///   - phoneNumber: in E.164 form: `+` and digits.
    ///   - region: the number's region, such as `JM`; nil where it is not known.
    /// - Returns: the gateways in their order.
    public func gateways(for phoneNumber: String, region: String?) -> [GatewayName] {
        var prefix = phoneNumber.prefix(16)
        while prefix.utf8.count > 1 {
            if let gateways = prefixes[String(prefix)] { return gateways }
            prefix.removeLast()
        }
        return region.flatMap { regions[$0] } ?? fallback
    }

    /// All gateways that any route names.
    public var names: Set<GatewayName> {
        Set(fallback).union(prefixes.values.joined()).union(regions.values.joined())
    }
}
