/// The kinds of tokens that users present. Their claims are the same, and the issuer tells them apart.
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
    /// Any issuer but Firebase's two is one that the project has, had, or has on workers with other settings. It needs
    /// no list: the signature proves that this deployment wrote the issuer, and the audience that it did so for the
    /// project. A change of the issuer therefore invalidates no token, and workers may restart one by one.
    func includes(issuer: String, in projectID: String) -> Bool {
        for kind in Self.allCases where issuer.utf8.starts(with: kind.firebaseIssuerPrefix.utf8) {
            return kind == self && issuer == kind.firebaseIssuer(in: projectID)
        }
        // An issuer of one's own is in ID tokens only.
        return self == .idToken
    }
}
