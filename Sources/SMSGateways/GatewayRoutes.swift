internal import Encodings
public import PhoneNumbers

/// The gateways for each number, in order of preference. If a gateway definitely fails, the next one is tried.
public struct GatewayRoutes: Equatable, Sendable {
    private let table: NumberTable<[GatewayName]>

    /// Creates one route for all numbers.
    ///
    /// - Parameters:
    ///   - first: the gateway that is tried first.
    ///   - further: the fallback gateways, in order.
    public init(_ first: GatewayName, _ further: GatewayName...) {
        table = NumberTable(fallback: [first] + further)
    }

    /// Parses routes in the format of the settings: `+1876=webhook,twilio; JM=webhook; *=twilio,vonage`.
    ///
    /// - Parameters:
    ///   - text: a table of gateways by prefix, by region and for all other numbers. Each row has at least one gateway.
    ///   - known: the gateways that exist; nil to accept any name.
    /// - Throws: an error that names the first invalid entry.
    public init(
        parsing text: String,
        known: Set<GatewayName>? = nil
    ) throws(NumberTableError<GatewayRouteError>) {
        table = try NumberTable(parsing: text) { list, key throws(GatewayRouteError) in
            try Self.gateways(list, of: String(key), known)
        }
    }

    /// Returns the gateways for a number, at least one.
    ///
    /// - Parameters:
    ///   - phoneNumber: the number in E.164 form: `+` and digits.
    ///   - region: the number's region, such as `JM`; nil if unknown.
    /// - Returns: the gateways, in order of preference.
    public func gateways(for phoneNumber: String, region: String?) -> [GatewayName] {
        table.value(for: phoneNumber, region: region)
    }

    /// The gateways' names by prefix, by region and for all other numbers.
    public var byName: NumberTable<[String]> { table.map { $0.map(\.text) } }

    /// The gateways in all routes.
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

/// An invalid list of gateways in a route.
public enum GatewayRouteError: Error, Equatable, CustomStringConvertible {
    case noGateway(key: String)
    case malformedName(String)
    case unknownGateway(GatewayName)
    case repeatedGateway(GatewayName, key: String)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .noGateway(let key): "the route for \(key) has no gateway"
        case .malformedName(let name): "\"\(name)\": not a gateway name"
        case .unknownGateway(let name): "\"\(name)\": no such gateway"
        case .repeatedGateway(let name, let key): "the route for \(key) names \(name) twice"
        }
    }
}
