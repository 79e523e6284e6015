internal import FastCGI

/// Whether and how this process serves operators.
///
/// It takes two to serve the admin interface: the settings of this process, and a web server that marks a request as
/// one from the admin listener. A request without the mark finds no admin route, so a path that the web server fails to
/// hide stays a 404.
public struct AdminInterface: Sendable {
    /// The FastCGI parameter by which the web server says from which listener a request comes. Clients cannot set it:
    /// what their headers become starts with `HTTP_`.
    static let listenerParameter: StaticString = "DIALTONE_LISTENER"

    /// How long a request's body may be, in bytes: a thousand accounts that are imported at once.
    public static let maximumBodyBytes = 4 * 1024 * 1024

    /// Whether its routes may answer. If not, they are unknown.
    public let isServed: Bool
    /// The audiences of assertions that it takes, besides Google's: its own token endpoint's addresses.
    public let tokenAudiences: [String]

    /// An interface that is served.
    public static func served(tokenAudiences: [String]) -> AdminInterface {
        AdminInterface(isServed: true, tokenAudiences: tokenAudiences)
    }

    /// An interface that is not served.
    public static let none = AdminInterface(isServed: false, tokenAudiences: [])

    /// Whether a request may use the admin routes.
    func isServed(to request: borrowing Request) -> Bool {
        isServed && request.parameter(Self.listenerParameter) == "admin"
    }
}
