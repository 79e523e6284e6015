/// Whether and how this process serves operators.
public struct AdminInterface: Sendable {
    /// Whether its routes answer; where not, they are unknown.
    public let isServed: Bool
    /// The audiences of assertions that it takes, besides Google's: its own token endpoint's addresses.
    public let tokenAudiences: [String]

    /// An interface that is served.
    public static func served(tokenAudiences: [String]) -> AdminInterface {
        AdminInterface(isServed: true, tokenAudiences: tokenAudiences)
    }

    /// None.
    public static let none = AdminInterface(isServed: false, tokenAudiences: [])
}
