/// Whether and how this process serves operators.
public struct AdminInterface: Sendable {
    /// How long a request's body may be, in bytes: a thousand accounts that are imported at once.
    public static let maximumBodyBytes = 4 * 1024 * 1024

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
