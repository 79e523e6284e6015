internal import Encodings
internal import RedisStore

/// A phone number or e-mail address that identifies an account: as text and as the hash under which Redis stores it.
struct AccountIdentifier<Subject: IdentifierSubject>: Sendable, Confidential {
    let text: String
    let identity: HashedIdentity<Subject>
}

extension EmailIdentity {
    /// Hashes an e-mail address for Redis: HMAC-SHA-256(index key, project ‖ address). The first 128 bits are the name;
    /// the first 64 choose the shard.
    init(_ email: EmailAddress, in project: Project, _ keys: ServerKeys, among shards: ShardCount) {
        self.init(email.text, in: project.id, under: keys.indexKey, among: shards)
    }

    /// Hashes an e-mail address under a given index key.
    init(_ email: String, in project: String, under key: IndexKey, among shards: ShardCount) {
        self = key.identity(key.hash("email", .text(project), .text(email)), in: project, among: shards)
    }
}

extension Authenticator {
    func identifier(_ email: EmailAddress, in project: Project) -> AccountIdentifier<IdentitySubject.EmailAddress> {
        AccountIdentifier(
            text: email.text,
            identity: EmailIdentity(email, in: project, keys, among: store.shards)
        )
    }
}
