internal import FastCGI

/// Whether and how this process serves the admin interface.
///
/// The admin interface needs two things: this process's settings enable it, and the web server marks the request as
/// received on the admin listener. Without the mark, admin routes do not exist, so a path that the web server fails to
/// hide is still a 404.
public struct AdminInterface: Sendable {
    /// The FastCGI parameter in which the web server names the listener of a request. Clients cannot forge it: FastCGI
    /// parameters from request headers start with `HTTP_`.
    static let listenerParameter: StaticString = "DIALTONE_LISTENER"

    /// The maximum size of a request body in bytes; enough for an import of 1000 accounts.
    public static let maximumBodyBytes = 4 * 1024 * 1024

    /// Whether the admin routes are served. If not, they return 404.
    public let isServed: Bool
    /// Accepted `aud` values of service account assertions, in addition to Google's: the URLs of Dialtone's own token
    /// endpoint.
    public let tokenAudiences: [String]

    /// Returns an admin interface that is served.
    public static func served(tokenAudiences: [String]) -> AdminInterface {
        AdminInterface(isServed: true, tokenAudiences: tokenAudiences)
    }

    /// An admin interface that is not served.
    public static let none = AdminInterface(isServed: false, tokenAudiences: [])

    /// Returns whether a request may use the admin routes.
    func isServed(to request: borrowing Request) -> Bool {
        isServed && Self.isMarked(request)
    }

    /// Returns whether the web server received a request on the admin listener.
    static func isMarked(_ request: borrowing Request) -> Bool {
        request.parameter(listenerParameter) == "admin"
    }
}
