internal import Encodings

/// The name of something that lives in one shard: 128 random bits, and the shard. `Subject` keeps one kind from being taken for
/// another.
public struct RandomID<Subject>: Hashable, Sendable {
    /// How many random bytes an id has.
    public static var byteCount: Int { 16 }

    /// Where the subject's keys live.
    public let shard: Shard
    /// The random part, ``byteCount`` bytes.
    public let bytes: [UInt8]
    /// The random part as it stands in Redis keys.
    public let text: String

    /// Makes an id of random `bytes`, or nil unless there are just ``byteCount`` of them.
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

/// The name of a verification session, in its number's shard.
public typealias SessionID = RandomID<IDSubject.VerificationSession>
/// The name of a push receipt, in its device's shard.
public typealias PushReceiptID = RandomID<IDSubject.PushReceipt>

/// The name of a temporary proof, in its number's shard.
public typealias TemporaryProofID = RandomID<IDSubject.TemporaryProof>

/// The kinds of what has a random id. They have no values.
public enum IDSubject {
    /// A verification session.
    public enum VerificationSession: Sendable {}
    /// A push receipt.
    public enum PushReceipt: Sendable {}
    /// A temporary proof.
    public enum TemporaryProof: Sendable {}
}
