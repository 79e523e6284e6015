internal import Encodings
internal import RedisStore

extension PhoneIdentity {
    /// How Redis knows a number: HMAC-SHA-256(index key, project ‖ number). 128 bits name it; the first 64 choose its shard.
    init(_ phoneNumber: String, in project: Project, _ keys: ServerKeys, among shards: ShardCount) {
        let hash = keys.indexes("phone", .text(project.id), .text(phoneNumber))
        self.init(project: project.id, hash: Base64URL.string(hash.prefix(16)), shard: shards.shard(ofHash: hash))
    }
}
