internal import Encodings
internal import RedisScripts
internal import Synchronization

/// A key for the hashes under which Redis looks up values that it must not be able to read.
struct IndexKey: Sendable {
    /// The key's id in the key file and in Redis.
    let id: UInt8
    let hash: KeyedHash

    init(id: UInt8, key: [UInt8]) {
        self.id = id
        hash = KeyedHash(key: key)
    }

    /// Returns the first 128 bits of a hash as text, tagged with the key's id.
    func text(_ digest: [UInt8]) -> String { IndexKeyHash.text(Base64URL.string(digest.prefix(16)), under: id) }
}

/// The index keys of the key file, shared by all threads.
final class IndexKeyRing: Sendable {
    private struct Content {
        var keys: [IndexKey]
        /// The marks of the keys, by their ids.
        var marks: [UInt8: String]
        /// The id of the key that was last seen in force; nil before the first.
        var usedID: UInt8?
    }

    private let content: Mutex<Content>

    init(_ keys: [IndexKey]) {
        let marks = Dictionary(keys.map { ($0.id, Hexadecimal.encode($0.mark)) }) { first, _ in first }
        content = Mutex(Content(keys: keys.sorted { $0.id < $1.id }, marks: marks))
    }

    /// In the order of their ids.
    var keys: [IndexKey] { content.withLock { $0.keys } }

    /// The marks of the keys, by their ids: derived once, because every request may compare them.
    var marks: [UInt8: String] { content.withLock { $0.marks } }

    func key(_ id: UInt8) -> IndexKey? { keys.first { $0.id == id } }

    /// Records which key is in force: a key file without that key is rejected.
    func noteUse(_ id: UInt8) {
        content.withLock { $0.usedID = id }
    }

    /// Replaces the keys, unless the key that was last seen in force is missing from the new ones.
    func replace(with other: IndexKeyRing) throws(KeyFileError) {
        let (new, marks) = other.content.withLock { ($0.keys, $0.marks) }
        let isComplete = content.withLock { content in
            guard content.usedID.map({ id in new.contains { $0.id == id } }) ?? true else { return false }
            content.keys = new
            content.marks = marks
            return true
        }
        guard isComplete else {
            throw KeyFileError(description: "indexKeys: the key in force is missing")
        }
    }

    /// Returns whether an id denotes different keys in the two rings.
    func contradicts(_ other: IndexKeyRing) -> Bool {
        let others = other.keys
        return keys.contains { key in
            others.contains { $0.id == key.id && !equalInConstantTime($0.mark, key.mark) }
        }
    }
}

extension IndexKey {
    /// Equal if the keys are equal; reveals nothing about the keys.
    var mark: [UInt8] { hash("deployment") }
}
