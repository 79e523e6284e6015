internal import RedisStore

extension PhoneIdentity {
    /// Creates a number's identity in Redis: HMAC-SHA-256(index key, project ‖ number). The identity is 128 bits of the
    /// hash; the first 64 bits choose its shard.
    init(_ phoneNumber: String, in project: Project, _ keys: ServerKeys, among shards: ShardCount) {
        self.init(phoneNumber, in: project.id, under: keys.indexKey, among: shards)
    }

    /// Creates a number's identity in Redis under an index key.
    init(_ phoneNumber: String, in project: String, under key: IndexKey, among shards: ShardCount) {
        self = key.identity(key.hash("phone", .text(project), .text(phoneNumber)), in: project, among: shards)
    }
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

extension OperationContext {
    func identity(of phoneNumber: String) -> PhoneIdentity {
        PhoneIdentity(phoneNumber, in: project, keys, among: store.shards)
    }

    func identifier(_ email: EmailAddress) -> AccountIdentifier<IdentitySubject.EmailAddress> {
        AccountIdentifier(
            text: email.text,
            identity: EmailIdentity(email, in: project, keys, among: store.shards)
        )
    }
}
