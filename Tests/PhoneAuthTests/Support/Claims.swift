import Encodings
import Testing

/// The unverified header and claims of a JWT.
struct Claims {
    let header: JSONObject
    let payload: JSONObject
    let parts: [String]

    init(_ token: String) throws {
        parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        header = try Self.object(parts[0])
        payload = try Self.object(parts[1])
    }

    func number(_ name: String) -> Int64? {
        guard case .number(let text) = payload[name] else { return nil }
        return Int64(text)
    }

    /// The claim `firebase` without Dialtone's own members: the session's id and the account's revocation counter.
    var protocolsFirebase: JSONValue? {
        guard case .object(let firebase) = payload["firebase"] else { return nil }
        let ours = ["session_id", "revocation"]
        return .object(JSONObject(members: firebase.members.filter { !ours.contains($0.name) }))
    }

    private static func object(_ part: String) throws -> JSONObject {
        let bytes = try #require(Base64URL.decode(part.utf8))
        guard case .object(let object) = try JSONValue.parse(bytes) else { throw NoObject() }
        return object
    }

    private struct NoObject: Error {}
}
