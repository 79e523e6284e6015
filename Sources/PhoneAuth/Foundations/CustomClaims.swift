internal import Encodings

/// Why custom claims are rejected.
public enum CustomClaimsError: Error, Equatable {
    /// Longer than ``CustomClaims/maximumByteCount``.
    case tooLarge
    /// Not a JSON object.
    case malformed
    /// A reserved claim name.
    case reserved(String)
}

/// The operator's custom claims in ID tokens: a JSON object without reserved names.
public struct CustomClaims: Sendable, Equatable {
    /// The maximum length of the JSON, in bytes.
    public static let maximumByteCount = 1000

    /// The JSON, unchanged.
    public let text: String
    let object: JSONObject
    var isEmpty: Bool { object.members.isEmpty }

    /// Reads new claims and checks them.
    /// - Throws: ``CustomClaimsError``.
    public init(_ text: String) throws(CustomClaimsError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLarge }
        self = try Self.parse(text)
        for (name, _) in object.members where Self.reservedNames.contains(name) { throw .reserved(name) }
    }

    /// Reads new claims and checks them.
    init(_ object: JSONObject) throws(CustomClaimsError) {
        try self.init(String(decoding: JSONValue.object(object).document, as: UTF8.self))
    }

    /// Reads stored claims; nil if they are malformed. Tokens leave out reserved names in any case.
    init?(stored text: String) {
        guard let claims = try? Self.parse(text) else { return nil }
        self = claims
    }

    private init(text: String, object: JSONObject) {
        self.text = text
        self.object = object
    }

    private static func parse(_ text: String) throws(CustomClaimsError) -> CustomClaims {
        guard let object = JSONObject(parsing: Array(text.utf8)) else { throw .malformed }
        return CustomClaims(text: text, object: object)
    }

    /// The names that Firebase reserves: those of RFC 7519 § 4.1 and of OpenID Connect, and its own.
    static let reservedNames: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]
}
