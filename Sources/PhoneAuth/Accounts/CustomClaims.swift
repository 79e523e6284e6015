internal import Encodings

/// Why claims are not taken.
public enum CustomClaimsError: Error, Equatable {
    /// More than ``CustomClaims/maximumByteCount``.
    case tooLarge
    /// No JSON object.
    case malformed
    /// A name that tokens need for themselves.
    case reserved(String)
}

/// Claims of the operator's own in ID tokens: a JSON object whose names no token needs for itself.
public struct CustomClaims: Sendable, Equatable {
    /// How long the JSON may be, in bytes.
    public static let maximumByteCount = 1000

    /// The JSON as it was given.
    public let text: String
    let object: JSONObject
    var isEmpty: Bool { object.members.isEmpty }

    /// Reads claims that are to be kept.
    /// - Throws: ``CustomClaimsError``.
    public init(_ text: String) throws(CustomClaimsError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLarge }
        self = try Self.parse(text)
        for (name, _) in object.members where Self.reservedNames.contains(name) { throw .reserved(name) }
    }

    /// Reads claims that were kept; nil where they are none. Tokens leave out what they need for themselves in any case.
    init?(stored text: String) {
        guard let claims = try? Self.parse(text) else { return nil }
        self = claims
    }

    private init(text: String, object: JSONObject) {
        self.text = text
        self.object = object
    }

    private static func parse(_ text: String) throws(CustomClaimsError) -> CustomClaims {
        guard case .object(let object) = try? JSONValue.parse(Array(text.utf8)) else { throw .malformed }
        return CustomClaims(text: text, object: object)
    }

    /// The names that Firebase reserves: those of RFC 7519 § 4.1 and of OpenID Connect, and its own.
    static let reservedNames: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]
}
