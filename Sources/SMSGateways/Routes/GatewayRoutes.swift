public import PhoneNumbers

/// Which gateways send to which numbers, in which order: the first is tried first, the next on a definite failure.
public struct GatewayRoutes: Equatable, Sendable {
    private let table: NumberTable<[GatewayName]>

    /// One way for all numbers.
    ///
    /// - Parameters:
    ///   - first: the gateway that is tried first: there must be one.
    ///   - further: the others in their order.
    public init(_ first: GatewayName, _ further: GatewayName...) {
        table = NumberTable(fallback: [first] + further)
    }

    /// Reads routes as settings have them: `+1876=webhook,twilio; JM=webhook; *=twilio,vonage`.
    ///
    /// - Parameters:
    ///   - text: a table of gateways by prefix, by region and for all others, each row with one at least.
    ///   - known: the gateways that there are; nil for any.
    /// - Throws: an error that names the first entry that cannot be right.
    public init(
        parsing text: String,
        known: Set<GatewayName>? = nil
    ) throws(NumberTableError<GatewayRouteError>) {
        table = try NumberTable(parsing: text) { list, key throws(GatewayRouteError) in
            try Self.gateways(list, of: String(key), known)
        }
    }

    /// The gateways for a number, one at least.
    ///
    /// - Parameters:
    ///   - phoneNumber: in E.164 form: `+` and digits.
    ///   - region: the number's region, such as `JM`; nil where it is not known.
    /// - Returns: the gateways in their order.
    public func gateways(for phoneNumber: String, region: String?) -> [GatewayName] {
        table.value(for: phoneNumber, region: region)
    }

    /// The gateways' names, by prefix, by region and for all others.
    public var byName: NumberTable<[String]> { table.map { $0.map(\.text) } }

    /// All gateways that any route names.
    public var names: Set<GatewayName> { Set(table.values.joined()) }

    private static func gateways(
        _ list: Substring,
        of key: String,
        _ known: Set<GatewayName>?
    ) throws(GatewayRouteError) -> [GatewayName] {
        var gateways: [GatewayName] = []
        for item in list.split(separator: ",", omittingEmptySubsequences: false) {
            let item = item.trimmed
            guard !item.isEmpty else { throw .noGateway(key: key) }
            guard let name = GatewayName(item) else { throw .malformedName(String(item)) }
            guard known?.contains(name) ?? true else { throw .unknownGateway(name) }
            guard !gateways.contains(name) else { throw .repeatedGateway(name, key: key) }
            gateways.append(name)
        }
        return gateways
    }
}
