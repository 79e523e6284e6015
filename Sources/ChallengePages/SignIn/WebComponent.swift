/// A component for web pages, which also has a hosted page.
public enum WebComponent: Sendable, CaseIterable {
    /// `<dialtone-sign-in>`.
    case signIn
    /// `<dialtone-account>`.
    case account

    /// The path of the hosted page.
    public var pagePath: String {
        switch self {
        case .signIn: "/__/auth/sign-in"
        case .account: "/__/auth/account"
        }
    }
}
