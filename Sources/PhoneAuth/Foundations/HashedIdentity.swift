internal import RedisScripts

/// A subject in a shard that Redis knows only by a hash. `Subject` prevents one kind from being passed for another.
public struct HashedIdentity<Subject>: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The hash that identifies the subject, base64url. Each kind documents what is hashed.
    public let hash: String
    /// The shard of the keys about the subject that are not in the project's slot.
    let shard: Shard
}

/// An e-mail address: the start of HMAC-SHA-256(index key, project ‖ address).
public typealias EmailIdentity = HashedIdentity<IdentitySubject.EmailAddress>
/// A user's session, in its account's shard: random bytes.
public typealias UserSessionIdentity = HashedIdentity<IdentitySubject.UserSession>
/// An app's installation on one device: the start of HMAC-SHA-256(lookup key, project ‖ bundle id ‖ device token).
public typealias DeviceIdentity = HashedIdentity<IdentitySubject.Device>
/// A Firebase refresh token, which Redis knows only after its use: SHA-256 of the token.
typealias FirebaseTokenIdentity = HashedIdentity<IdentitySubject.FirebaseToken>

/// The kinds of subjects that are identified by a hash. The types have no values.
public enum IdentitySubject {
    /// An e-mail address.
    public enum EmailAddress: Sendable {}
    /// A user's session.
    public enum UserSession: Sendable {}
    /// An app's installation on one device.
    public enum Device: Sendable {}
    /// A refresh token of Firebase.
    enum FirebaseToken: Sendable {}
}

/// An account of a project.
public struct AccountIdentity: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The account's `localId`.
    let uid: String
    /// The shard of all keys about this account.
    let shard: Shard

    /// Identifies an account. Its shard follows from project and uid.
    init(project: String, uid: String, among shards: ShardCount) {
        self.project = project
        self.uid = uid
        shard = shards.shard(of: uid.stableHash(after: "/".stableHash(after: project.stableHash())))
    }
}

/// A subject in the slot of its project that Redis knows only by a hash. `Subject` prevents one kind from being passed
/// for another.
public struct ProjectIdentity<Subject>: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The hash that identifies the subject, base64url. Each kind documents what is hashed.
    public let hash: String
}

/// A phone number: the start of HMAC-SHA-256(index key, project ‖ number).
public typealias PhoneIdentity = ProjectIdentity<IdentitySubject.PhoneNumber>
/// A client's network: the start of HMAC-SHA-256(index key, project ‖ network).
public typealias NetworkIdentity = ProjectIdentity<IdentitySubject.Network>
/// A challenge of the challenge page, or a provider's response to one: SHA-256 of what identifies it.
public typealias ChallengeIdentity = ProjectIdentity<IdentitySubject.Challenge>
/// A challenge token: SHA-256 of its random bytes.
public typealias ChallengeTokenIdentity = ProjectIdentity<IdentitySubject.ChallengeToken>
/// A Play Integrity token, which Redis knows only after its use: SHA-256 of the token.
public typealias IntegrityTokenIdentity = ProjectIdentity<IdentitySubject.IntegrityToken>

extension IdentitySubject {
    /// A phone number.
    public enum PhoneNumber: Sendable {}
    /// A client's network.
    public enum Network: Sendable {}
    /// A challenge.
    public enum Challenge: Sendable {}
    /// A challenge token.
    public enum ChallengeToken: Sendable {}
    /// A Play Integrity token.
    public enum IntegrityToken: Sendable {}
}

extension String {
    /// Returns the 64-bit FNV-1a hash: the same on every machine and in every release, unlike Swift's own hashing.
    ///
    /// `before` is the hash of the preceding text if both are hashed as one.
    func stableHash(after before: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        var text = self
        return text.withUTF8 { $0.reduce(before) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } }
    }
}
