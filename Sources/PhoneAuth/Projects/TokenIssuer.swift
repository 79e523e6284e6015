internal import Encodings

/// Why a text is not valid as the deployment's own issuer. Each case is something that the operator can correct.
public enum TokenIssuerFault: Error, Equatable {
    /// Not an https URL, or one with a user name, a query or a fragment.
    case notAURL
    /// The path is neither empty nor the path of the project's discovery document.
    case pathUnknown
    /// One of Firebase's own hosts.
    case reserved
}

/// A deployment's own issuer: the URL in a project's ID tokens, at which verifiers find the discovery document and the
/// keys (OpenID Connect Discovery 1.0 § 4).
///
/// Its path is empty or `/projects/<project>`, because Dialtone serves the documents there.
public struct TokenIssuer: Hashable, Sendable {
    /// The value of `iss`. Verifiers compare it byte for byte.
    public let url: String
    /// Where the keys are: a JWK set.
    public var keysURL: String { url + "/.well-known/jwks.json" }

    /// Whether the documents are at the root of the issuer's host.
    public let isAtRoot: Bool
    private let origin: String

    private static let reservedOrigins = ["https://securetoken.google.com", "https://session.firebase.google.com"]

    /// Validates an issuer.
    ///
    /// - Parameters:
    ///   - url: the issuer, such as `https://auth.example.com`.
    ///   - projectID: the project that the issuer is for.
    ///   - allowsPlainLoopback: whether `http` is also allowed if the host is a loopback address.
    /// - Throws: ``TokenIssuerFault``.
    public init(_ url: String, of projectID: String, allowsPlainLoopback: Bool = false) throws(TokenIssuerFault) {
        guard (try? ServiceURL(url, allowsPlainLoopback: allowsPlainLoopback)) != nil, !url.contains("?") else {
            throw .notAURL
        }
        let origin = ServiceURL.origin(of: url)
        let path = url.dropFirst(origin.count)
        guard path.isEmpty || path == "/projects/\(projectID)" else { throw .pathUnknown }
        self.url = url
        self.origin = Self.comparable(origin)
        isAtRoot = path.isEmpty
        guard !Self.reservedOrigins.contains(self.origin) else { throw .reserved }
    }

    /// Returns whether the issuer's host and port are those of a request's `Host` header.
    public func isAt(host: String) -> Bool {
        origin == Self.comparable("\(url.prefix { $0 != "/" })//\(host)")
    }

    /// Returns whether the documents of two issuers have the same URL, at which only one of them can be served.
    public func collides(with other: TokenIssuer) -> Bool {
        isAtRoot && other.isAtRoot && origin == other.origin
    }

    /// Returns an origin in normalized form, in which equal origins have equal texts (RFC 3986 § 6.2.3).
    private static func comparable(_ origin: String) -> String {
        let lowercased = origin.lowercased()
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")] {
            guard lowercased.hasPrefix(scheme), lowercased.hasSuffix(port) else { continue }
            return String(lowercased.dropLast(port.count))
        }
        return lowercased
    }
}

extension Project {
    /// The issuer of the project's ID tokens: its own, or the one that Firebase's Admin SDKs expect.
    public var idTokenIssuer: String { ownIssuer?.url ?? TokenKind.idToken.firebaseIssuer(in: id) }

    /// Returns the issuer of new tokens of a kind. The issuer of session cookies never changes: verifiers do not
    /// discover it, and only its difference prevents a session cookie, which may live for two weeks, from being
    /// accepted as an ID token.
    func issuer(of kind: TokenKind) -> String {
        switch kind {
        case .idToken: idTokenIssuer
        case .sessionCookie: kind.firebaseIssuer(in: id)
        }
    }
}
