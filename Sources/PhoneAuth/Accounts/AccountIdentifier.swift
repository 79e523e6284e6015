internal import Encodings
internal import RedisStore

/// What leads to an account from outside, readable and as Redis knows it.
struct AccountIdentifier<Subject: IdentifierSubject>: Sendable, Confidential {
    let text: String
    let identity: HashedIdentity<Subject>
}

extension EmailIdentity {
    /// How Redis knows an e-mail address: HMAC-SHA-256(index key, project ‖ address). 128 bits name it; the first 64 choose its
    /// shard.
    init(_ email: EmailAddress, in project: Project, _ keys: ServerKeys, among shards: ShardCount) {
        self.init(email.text, in: project.id, under: keys.indexKey, among: shards)
    }

    /// How Redis knows an e-mail address under an index key.
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
