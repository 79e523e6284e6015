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
