/// The kinds of tokens that users present. Their claims are the same, and the issuer distinguishes them.
enum TokenKind: CaseIterable {
    case idToken
    case sessionCookie

    /// What the Admin SDKs expect in `iss` before the project's id.
    private var firebaseIssuerPrefix: String {
        switch self {
        case .idToken: "https://securetoken.google.com/"
        case .sessionCookie: "https://session.firebase.google.com/"
        }
    }

    /// Returns the issuer that the Admin SDKs expect in a project.
    func firebaseIssuer(in projectID: String) -> String { firebaseIssuerPrefix + projectID }

    /// Returns whether a token of this issuer is of this kind.
    ///
    /// Any issuer other than Firebase's two is one that the project has, had, or has on workers with other settings. No
    /// list of issuers is needed: the signature proves that this deployment wrote the issuer, and the audience proves
    /// that it did so for the project. A change of the issuer therefore invalidates no token, and workers may restart
    /// one by one.
    func includes(issuer: String, in projectID: String) -> Bool {
        for kind in Self.allCases where issuer.utf8.starts(with: kind.firebaseIssuerPrefix.utf8) {
            return kind == self && issuer == kind.firebaseIssuer(in: projectID)
        }
        // Only ID tokens have the deployment's own issuer.
        return self == .idToken
    }
}

/// The constants of session cookies.
public enum SessionCookie {
    /// The shortest and the longest lifetime of a session cookie that the protocol allows.
    public static let lifetimes: ClosedRange<Duration> = .seconds(300) ... .seconds(14 * 86_400)

    /// The usual name of the cookie. Firebase Hosting passes on no other cookie.
    public static let standardName = "__session"
}
