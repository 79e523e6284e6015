/// Something of a project as Redis may know it: by a hash, never by itself. `Subject` keeps one kind from being taken for another.
public struct HashedIdentity<Subject>: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// What takes the subject's place, base64url; each kind says of what.
    public let hash: String
    /// Where everything about it lives.
    public let shard: Shard

    /// Names a subject by its hash.
    public init(project: String, hash: String, shard: Shard) {
        self.project = project
        self.hash = hash
        self.shard = shard
    }
}

/// A phone number; the start of HMAC-SHA-256(index key, project ‖ number).
public typealias PhoneIdentity = HashedIdentity<IdentitySubject.PhoneNumber>
/// An e-mail address; the start of HMAC-SHA-256(index key, project ‖ address).
public typealias EmailIdentity = HashedIdentity<IdentitySubject.EmailAddress>
/// A user's session, in the shard of its account; random bytes. Those of the version before are known by SHA-256 of the
/// refresh token's secret.
public typealias UserSessionIdentity = HashedIdentity<IdentitySubject.UserSession>
/// An app's installation on one device; the start of HMAC-SHA-256(index key, project ‖ bundle id ‖ device token).
public typealias DeviceIdentity = HashedIdentity<IdentitySubject.Device>
/// A client's network; the start of HMAC-SHA-256(index key, project ‖ network).
public typealias NetworkIdentity = HashedIdentity<IdentitySubject.Network>

/// The kinds of what is known by a hash. They have no values.
public enum IdentitySubject {
    /// A phone number.
    public enum PhoneNumber: Sendable {}
    /// An e-mail address.
    public enum EmailAddress: Sendable {}
    /// A user's session.
    public enum UserSession: Sendable {}
    /// An app's installation on one device.
    public enum Device: Sendable {}
    /// A client's network.
    public enum Network: Sendable {}
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
        shard = shards.shard(of: uid.stableHash(after: "/".stableHash(after: project.stableHash())))
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

extension String {
    /// FNV-1a, 64 bit: the same on every machine and in every release, which Swift's own hashing is not.
    ///
    /// `before` is the hash of the text that precedes this one, if they are hashed as one.
    func stableHash(after before: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        utf8.reduce(before) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
