internal import Encodings

/// A random id: 128 random bits, and the shard of its subject. `Subject` prevents one kind from being passed for
/// another.
public struct RandomID<Subject>: Hashable, Sendable {
    /// The number of random bytes in an id.
    public static var byteCount: Int { 16 }

    /// The shard of the subject's keys.
    public let shard: Shard
    /// The random part, ``byteCount`` bytes.
    public let bytes: [UInt8]
    /// The random part as in Redis keys, base64url.
    public let text: String

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

/// The id of a verification session, in its number's shard.
public typealias SessionID = RandomID<IDSubject.VerificationSession>
/// The id of a push receipt, in its device's shard.
public typealias PushReceiptID = RandomID<IDSubject.PushReceipt>

/// The id of a temporary proof, in its number's shard.
public typealias TemporaryProofID = RandomID<IDSubject.TemporaryProof>

/// The kinds of subjects with random ids. The types have no values.
public enum IDSubject {
    /// A verification session.
    public enum VerificationSession: Sendable {}
    /// A push receipt.
    public enum PushReceipt: Sendable {}
    /// A temporary proof.
    public enum TemporaryProof: Sendable {}
}
