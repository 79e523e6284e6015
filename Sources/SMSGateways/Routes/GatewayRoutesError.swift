/// What is wrong with an operator's routes.
public enum GatewayRoutesError: Error, Equatable, CustomStringConvertible {
    case malformedEntry(String)
    case malformedKey(String)
    case repeatedKey(String)
    case noGateway(key: String)
    case malformedName(String)
    case unknownGateway(GatewayName)
    case repeatedGateway(GatewayName, key: String)
    case noDefault

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedEntry(let entry): "the route “\(entry)” has no ="
        case .malformedKey(let key): "“\(key)” is neither a prefix such as +1876, a region such as JM, nor *"
        case .repeatedKey(let key): "there are two routes for \(key)"
        case .noGateway(let key): "the route for \(key) lacks a gateway"
        case .malformedName(let name): "“\(name)” is no gateway's name"
        case .unknownGateway(let name): "there is no gateway \(name)"
        case .repeatedGateway(let name, let key): "the route for \(key) names \(name) twice"
        case .noDefault: "there is no route for *, all other numbers"
        }
    }
}
