/// A phone number of a project as Redis may know it: a keyed hash, never the number.
public struct PhoneIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The start of HMAC-SHA-256(index key, project ‖ number), base64url.
    public let hash: String
    /// Where everything about this number lives.
    public let shard: Shard

    /// Names a number by its keyed hash.
    public init(project: String, hash: String, shard: Shard) {
        self.project = project
        self.hash = hash
        self.shard = shard
    }
}

/// An account of a project.
public struct AccountIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The account's `localId`.
    public let uid: String
    /// Where everything about this account lives.
    public let shard: Shard

    /// Names an account; its shard follows from project and uid.
    public init(project: String, uid: String, among shards: ShardCount) {
        self.project = project
        self.uid = uid
        shard = shards.shard(of: Self.stableHash("\(project)/\(uid)"))
    }

    /// FNV-1a, 64 bit: the same on every machine and in every release, which Swift's own hashing is not.
    private static func stableHash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// A refresh token as Redis may know it: its hash, never the token.
public struct RefreshTokenIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// SHA-256 of the token's secret, base64url.
    public let hash: String
    /// The shard of the account that it belongs to.
    public let shard: Shard

    /// Names a refresh token by its hash.
    public init(project: String, hash: String, shard: Shard) {
        self.project = project
        self.hash = hash
        self.shard = shard
    }
}

/// An app's installation on one device as Redis may know it: a keyed hash of its push token, never the token.
public struct DeviceIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The start of HMAC-SHA-256(index key, project ‖ bundle id ‖ device token), base64url.
    public let hash: String
    /// Where everything about this device lives.
    public let shard: Shard

    /// Names a device by its keyed hash.
    public init(project: String, hash: String, shard: Shard) {
        self.project = project
        self.hash = hash
        self.shard = shard
    }
}

/// A challenge of the challenge page, or a provider's answer to one.
public struct ChallengeIdentity: Hashable, Sendable {
    /// A hash of what makes the challenge one of its kind, base64url.
    public let hash: String
    /// Where it and its token live.
    public let shard: Shard

    /// Names a challenge by its hash.
    public init(hash: String, shard: Shard) {
        self.hash = hash
        self.shard = shard
    }
}

/// A challenge token as Redis may know it: its hash, never the token.
public struct ChallengeTokenIdentity: Hashable, Sendable {
    /// SHA-256 of the token's random bytes, base64url.
    public let hash: String
    /// The shard of the challenge that was solved for it.
    public let shard: Shard

    /// Names a challenge token by its hash.
    public init(hash: String, shard: Shard) {
        self.hash = hash
        self.shard = shard
    }
}

/// A client's network as Redis may know it: a keyed hash of its address.
public struct NetworkIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The start of HMAC-SHA-256(index key, project ‖ network), base64url.
    public let hash: String
    /// Where everything about this network lives.
    public let shard: Shard

    /// Names a network by its keyed hash.
    public init(project: String, hash: String, shard: Shard) {
        self.project = project
        self.hash = hash
        self.shard = shard
    }
}
