internal import Cryptography
public import Encodings

/// A client's key for one request, which the client may send again if the answer was lost
/// (`draft-ietf-httpapi-idempotency-key-header`).
///
/// The repeated request gets the same session again, for a minute after the first one began it
/// (`repeated-request.lua`). The key is bound to the whole request: with another code, or with another ID token, it is
/// another key. So clients choose their keys, but each guess of a code is counted.
public struct IdempotencyKey: Sendable, Confidential {
    /// The rule for keys, as a text. A key that could be guessed would make codes valid twice.
    public static let rule = "16 to 128 printable ASCII characters"

    let hash: [UInt8]

    /// Creates the key of a request; nil if the text violates the ``rule``.
    public init?(_ text: String, route: String, body: [UInt8]) {
        guard (16...128).contains(text.utf8.count), text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        hash = SHA256.hash(Array(text.utf8) + [0] + Array(route.utf8) + [0] + body)
    }
}

extension OperationContext {
    /// The id by which scripts recognize a repeated request: the front end's, or that of the client's key.
    var repeatID: String {
        guard let key = requester.idempotencyKey else { return requestID }
        return Base64URL.string(keys.lookups("repeat", .text(project.id), .bytes(key.hash)).prefix(16))
    }

    /// Returns at most 32 unpredictable bytes, which a repeated request with the client's key gets again. `use` and
    /// `name` distinguish them from other bytes of the request.
    func repeatableBytes(_ count: Int, _ use: StaticString, _ name: String) -> [UInt8] {
        guard let key = requester.idempotencyKey else { return environment.randomBytes(count) }
        return Array(keys.lookups(use, .text(project.id), .bytes(key.hash), .text(name)).prefix(count))
    }
}
