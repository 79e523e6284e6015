internal import Encodings
internal import RedisStore
internal import Synchronization

/// A key under which what Redis must find but not read is hashed.
struct IndexKey: Sendable {
    /// Names it in the key file and in Redis.
    let id: UInt8
    let hash: KeyedHash

    init(id: UInt8, key: [UInt8]) {
        self.id = id
        hash = KeyedHash(key: key)
    }

    /// How Redis knows something, and the shard that it belongs to.
    func identity<Subject>(
        _ digest: [UInt8],
        in project: String,
        among shards: ShardCount
    ) -> HashedIdentity<Subject> {
        HashedIdentity(project: project, hash: text(digest), shard: shards.shard(ofHash: digest))
    }

    /// 128 bits of a hash, which say what key they are under.
    func text(_ digest: [UInt8]) -> String { IndexKeyHash.text(Base64URL.string(digest.prefix(16)), under: id) }
}

/// The index keys of the key file, shared by all threads.
final class IndexKeyRing: Sendable {
    private struct Content {
        var keys: [IndexKey]
        /// The key that was last found in force; nil before one was.
        var usedID: UInt8?
    }

    private let content: Mutex<Content>

    init(_ keys: [IndexKey]) {
        content = Mutex(Content(keys: keys.sorted { $0.id < $1.id }))
    }

    /// In the order of their ids.
    var keys: [IndexKey] { content.withLock { $0.keys } }

    func key(_ id: UInt8) -> IndexKey? { keys.first { $0.id == id } }

    /// Notes which key is in force: a key file without it is not adopted.
    func noteUse(_ id: UInt8) {
        content.withLock { $0.usedID = id }
    }

    /// Takes over other keys, unless the key that was last found in force is not among them.
    func replace(with other: IndexKeyRing) throws(KeyFileError) {
        let new = other.keys
        let isComplete = content.withLock { content in
            guard content.usedID.map({ id in new.contains { $0.id == id } }) ?? true else { return false }
            content.keys = new
            return true
        }
        guard isComplete else {
            throw KeyFileError(description: "indexKeys: the key in force is missing")
        }
    }

    /// Whether a key of one id is another key there.
    func contradicts(_ other: IndexKeyRing) -> Bool {
        let others = other.keys
        return keys.contains { key in
            others.contains { $0.id == key.id && !equalInConstantTime($0.mark, key.mark) }
        }
    }
}

extension IndexKey {
    /// Equal where the keys are; reveals nothing about them.
    fileprivate var mark: [UInt8] { hash("deployment") }
}
