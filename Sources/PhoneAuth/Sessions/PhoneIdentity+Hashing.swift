internal import RedisStore

extension PhoneIdentity {
    /// How Redis knows a number: HMAC-SHA-256(index key, project ‖ number). 128 bits name it; the first 64 choose its shard.
    init(_ phoneNumber: String, in project: Project, _ keys: ServerKeys, among shards: ShardCount) {
        self.init(phoneNumber, in: project.id, under: keys.indexKey, among: shards)
    }

    /// How Redis knows a number under an index key.
    init(_ phoneNumber: String, in project: String, under key: IndexKey, among shards: ShardCount) {
        self = key.identity(key.hash("phone", .text(project), .text(phoneNumber)), in: project, among: shards)
    }
}
