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
