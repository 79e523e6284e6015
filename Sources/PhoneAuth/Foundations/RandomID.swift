internal import Encodings
internal import RedisScripts

/// A random id of something that a project has: 128 random bits. `Subject` prevents one kind from being passed for
/// another.
public struct RandomID<Subject>: Hashable, Sendable {
    /// The number of random bytes in an id.
    static var byteCount: Int { randomIDByteCount }

    /// The project's id.
    public let project: String
    /// The random part, ``byteCount`` bytes.
    let bytes: [UInt8]
    /// The random part as in Redis keys, base64url.
    let text: String

    /// Creates an id from random `bytes`, or returns nil unless there are exactly ``byteCount``.
    public init?(project: String, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.project = project
        self.bytes = bytes
        text = Base64URL.string(bytes)
    }

    init?(project: String, text: [UInt8]) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(project: project, bytes: bytes)
    }
}

/// The id of a verification session.
public typealias VerificationID = RandomID<IDSubject.VerificationSession>
/// The id of a temporary proof.
public typealias TemporaryProofID = RandomID<IDSubject.TemporaryProof>

/// The kinds of subjects with random ids. The types have no values.
public enum IDSubject {
    /// A verification session.
    public enum VerificationSession: Sendable {}
    /// A temporary proof.
    public enum TemporaryProof: Sendable {}
}

/// The random id of a push receipt, in its device's shard.
struct PushReceiptID: Hashable, Sendable {
    /// The number of random bytes in an id.
    static var byteCount: Int { randomIDByteCount }

    /// The shard of the device and its receipts.
    let shard: Shard
    /// The random part, ``byteCount`` bytes.
    let bytes: [UInt8]
    /// The random part as in Redis keys, base64url.
    let text: String

    /// Creates an id from random `bytes`, or returns nil unless there are exactly ``byteCount``.
    public init?(shard: Shard, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.shard = shard
        self.bytes = bytes
        text = Base64URL.string(bytes)
    }

    init?(shard: Shard, text: [UInt8]) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(shard: shard, bytes: bytes)
    }
}

private let randomIDByteCount = 16
