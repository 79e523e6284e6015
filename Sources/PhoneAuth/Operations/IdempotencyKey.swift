internal import Cryptography
public import Encodings

/// A client's key for one request, which the client may send again if the answer was lost
/// (`draft-ietf-httpapi-idempotency-key-header`).
///
/// For a minute, the repeated request gets the same session again. The key is bound to the whole request: with another
/// code, or with another ID token, it is another key. So clients choose their keys, but each guess of a code counts.
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

/// A request with a client's key. What the request creates is derived from the key and from random bytes, which Redis
/// keeps for a minute. After that, nothing can be derived again, and the same request is a new one.
final class RepeatableRequest {
    fileprivate static let memory: Duration = .seconds(60)

    fileprivate let key: IdempotencyKey
    /// The random bytes of the first execution, or nil for a request that is not repeatable; absent before they were
    /// needed, because requests that are not admitted store nothing.
    fileprivate var salt: [UInt8]??

    init(_ key: IdempotencyKey) { self.key = key }
}

extension OperationContext {
    /// The id by which scripts recognize a repeated request: the front end's, or one of the client's key.
    var repeatID: String { derivedBytes("repeat", "").map { Base64URL.string($0.prefix(16)) } ?? requestID }

    /// Returns at most 32 unpredictable bytes, which a repeated request with the client's key gets again. `use` and
    /// `name` distinguish them from other bytes of the request.
    func repeatableBytes(_ count: Int, _ use: StaticString, _ name: String) -> [UInt8] {
        derivedBytes(use, name).map { Array($0.prefix(count)) } ?? environment.randomBytes(count)
    }

    private func derivedBytes(_ use: StaticString, _ name: String) -> [UInt8]? {
        guard let request = repeatable, let salt = salt(of: request) else { return nil }
        return Array(keys.lookups(use, .text(project.id), .bytes(request.key.hash), .bytes(salt), .text(name)))
    }

    private func salt(of request: RepeatableRequest) -> [UInt8]? {
        if let known = request.salt { return known }
        let id = Base64URL.string(keys.lookups("idempotency-key", .text(project.id), .bytes(request.key.hash)))
        let first = bestEffort(
            "the memory of an idempotency key",
            try store.firstExecution(
                FirstExecution(at: now, salt: environment.randomBytes(16)),
                of: id,
                in: project.id,
                memory: RepeatableRequest.memory
            )
        )
        let salt = first.flatMap { $0 }.flatMap { now - $0.at <= RepeatableRequest.memory ? $0.salt : nil }
        request.salt = .some(salt)
        return salt
    }
}
