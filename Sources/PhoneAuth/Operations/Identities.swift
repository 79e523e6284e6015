internal import Encodings
internal import RedisScripts

extension PhoneIdentity {
    /// Creates a number's identity in Redis: HMAC-SHA-256(index key, project ‖ number). The identity is the first 128
    /// bits.
    init(_ phoneNumber: String, in project: Project, _ keys: ServerKeys) {
        self.init(phoneNumber, in: project.id, under: keys.indexKey)
    }

    /// Creates a number's identity in Redis under an index key.
    init(_ phoneNumber: String, in project: String, under key: IndexKey) {
        let digest = key.hash("phone", .text(project), .text(phoneNumber))
        self.init(project: project, hash: key.text(digest))
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
        let digest = key.hash("email", .text(project), .text(email))
        self.init(project: project, hash: key.text(digest), shard: shards.shard(ofHash: digest))
    }
}

extension ClientNetworks {
    /// Creates the networks of an address, hashed for one use.
    init(
        ofAddress address: String,
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys
    ) {
        let network = IPv6Network(ofAddress: address)
        self.init(
            narrowest: NetworkIdentity(of: network?.text(bits: 64) ?? address, for: use, in: project, keys),
            wider: network.map { Self.containing($0, for: use, in: project, keys) } ?? []
        )
    }

    /// Returns the networks that contain a /64, hashed for one use.
    static func containing(
        _ network: IPv6Network,
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys
    ) -> [Network] {
        func identity(bits: Int) -> NetworkIdentity {
            NetworkIdentity(of: network.text(bits: bits), for: use, in: project, keys)
        }
        return [Network(identity(bits: 56), .slash56), Network(identity(bits: 48), .slash48)]
    }
}

extension NetworkIdentity {
    /// Creates the identity in Redis of an address's narrowest network, hashed for one use. Rate limits count by
    /// ``ClientNetworks`` instead.
    init(
        ofAddress address: String,
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys
    ) {
        self.init(of: IPv6Network.narrowest(of: address), for: use, in: project, keys)
    }

    /// Creates a network's identity in Redis, hashed for one use: HMAC-SHA-256(lookup key, project ‖ network).
    init(
        of network: String,
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys
    ) {
        let hash = keys.lookups(use, .text(project.id), .text(network))
        self.init(
            project: project.id,
            hash: Base64URL.string(hash.prefix(16))
        )
    }
}

extension OperationContext {
    func identity(of phoneNumber: String) -> PhoneIdentity {
        PhoneIdentity(phoneNumber, in: project, keys)
    }
}
