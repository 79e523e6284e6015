/// What a deployment's processes and its Redis must have in common. Redis keeps it as a hash: see
/// ``DeploymentMismatch``.
public struct DeploymentMarks: Sendable {
    /// A keyed hash of the server key, in hexadecimal: equal if the server keys are equal, and reveals nothing about
    /// them.
    public let keys: String
    /// The same of each index key, by its id.
    public let indexKeys: [UInt8: String]

    /// Creates the marks of a key file.
    public init(keys: String, indexKeys: [UInt8: String]) {
        self.keys = keys
        self.indexKeys = indexKeys
    }

    /// Returns the beginning of a mark, for people to compare.
    public static func fingerprint(_ mark: String) -> String { String(mark.prefix(8)) }

    /// The field with the mark of the server key.
    public static let keysField = "keys"
    /// The field with the number of shards.
    public static let shardsField = "shards"
    /// Returns the field with the mark of an index key.
    public static func field(ofIndexKey id: UInt8) -> String { "index-\(id)" }

    /// Compares what Redis keeps with this process's keys and settings. Redis need not have the mark of each index key:
    /// those that never were in force are not compared.
    public func mismatch(with stored: [String: String], _ shards: ShardCount) -> DeploymentMismatch? {
        guard let known = stored[Self.keysField] else { return .unmarked(keys: keys) }
        guard known == keys else { return .keys(redis: known, keyFile: keys) }
        for (id, mark) in indexKeys.sorted(by: { $0.key < $1.key }) {
            guard let known = stored[Self.field(ofIndexKey: id)], known != mark else { continue }
            return .indexKey(id, redis: known, keyFile: mark)
        }
        return Self.mismatch(with: stored, shards)
    }

    /// Returns why this process cannot hash under the index key in force; nil if it can.
    func mismatch(of state: IndexKeyState) -> DeploymentMismatch? {
        indexKeys[state.id] == nil ? .indexKeyMissing(state.id) : nil
    }

    /// Returns why a process that has hashed under the `former` index key must not hash now; nil if it may.
    static func mismatch(of state: IndexKeyState, since former: IndexKeyState?) -> DeploymentMismatch? {
        if let next = state.next { return .indexKeyMoving(from: state.id, to: next) }
        guard let former, former.id != state.id else { return nil }
        return .indexKeyMoved(from: former.id, to: state.id)
    }

    static func mismatch(with stored: [String: String], _ shards: ShardCount) -> DeploymentMismatch? {
        guard let known = stored[shardsField], known != String(shards.value) else { return nil }
        return .shards(redis: known, settings: shards.value)
    }
}

/// Why a process must neither read nor write a Redis: their numbers, tokens and codes would not be each other's. The
/// values are marks.
public enum DeploymentMismatch: Error, Equatable, Sendable {
    /// No deployment has adopted this Redis: it is new, was emptied, or lost its data.
    case unmarked(keys: String)
    /// Redis is another deployment's.
    case keys(redis: String, keyFile: String)
    /// An index key of the key file is not the one that was in force under its id.
    case indexKey(UInt8, redis: String, keyFile: String)
    /// The index key in force is not in the key file.
    case indexKeyMissing(UInt8)
    /// A move between index keys is incomplete.
    case indexKeyMoving(from: UInt8, to: UInt8)
    /// The index key was moved while this process was running.
    case indexKeyMoved(from: UInt8, to: UInt8)
    /// The deployment has another number of shards, so keys would be looked up in the wrong shard.
    case shards(redis: String, settings: Int)
}

extension DeploymentMismatch: CustomStringConvertible {
    /// What is wrong and what to do, as a sentence about Redis that begins with its verb.
    public var description: String { "\(fact): \(remedy)" }

    /// What is wrong, with the fingerprints of both sides.
    public var fact: String {
        func short(_ mark: String) -> String { DeploymentMarks.fingerprint(mark) }
        return switch self {
        case .unmarked(let keys): "has no deployment's mark; the key file's is \(short(keys))"
        case .keys(let redis, let keyFile):
            "belongs to the deployment \(short(redis)), the key file to \(short(keyFile))"
        case .indexKey(let id, let redis, let keyFile):
            "knows index-\(id) as \(short(redis)), the key file as \(short(keyFile))"
        case .indexKeyMissing(let id): "has index-\(id) in force, which is not in this machine's key file"
        case .indexKeyMoving(let from, let to): "is being moved from index-\(from) to index-\(to)"
        case .indexKeyMoved(let from, let to): "was moved from index-\(from) to index-\(to) while this process ran"
        case .shards(let redis, let settings): "was set up with \(redis) shards, but \(settings) are configured"
        }
    }

    /// What to do.
    var remedy: String {
        switch self {
        case .unmarked: "restore its data, again if interrupted, or run dialtone redis adopt if it should be empty"
        case .keys: "use DIALTONE_REDIS_ADDRESS and DIALTONE_KEY_FILE of the same deployment"
        case .indexKey, .indexKeyMissing: "copy the deployment's current key file to this machine"
        case .indexKeyMoving: "run dialtone keys move-index until it has completed"
        case .indexKeyMoved: "restart it"
        case .shards(let redis, _): "set DIALTONE_SHARDS=\(redis)"
        }
    }
}

extension Store {
    /// Compares the deployment's marks with those of this process, or returns the result of the last comparison if it
    /// is too early for another connection.
    /// - Returns: why they differ; nil if they do not.
    /// - Throws: ``StoreUnavailable`` if Redis does not answer.
    public func deploymentMismatch() throws(StoreUnavailable) -> DeploymentMismatch? {
        do {
            try compareMarks()
        } catch {
            // A new connection compares, too, and fails.
            guard mismatch != nil else { throw error }
        }
        return mismatch
    }

    /// Checks that Redis still is the deployment's. A Redis that was emptied looks like one in which no account, no
    /// session and no claim exists. So call this before a client learns that something does not exist, and before an
    /// account is created: connections that stay open otherwise compare the marks only once a second.
    /// - Throws: ``StoreUnavailable`` if it is not, or does not respond.
    public func confirmDeployment() throws(StoreUnavailable) {
        let stored = try send("HGET", KeyNames.deployment, DeploymentMarks.keysField)
        guard let marks = marks?() else { return }
        let known = stored.isNull ? nil : try stored.text()
        guard known != marks.keys else { return }
        mismatch = known.map { .keys(redis: $0, keyFile: marks.keys) } ?? .unmarked(keys: marks.keys)
        if let mismatch { throw StoreUnavailable(Self.refusal(mismatch)) }
    }

    /// Compares the deployment's marks with those of this process.
    /// - Throws: ``StoreUnavailable``, also if Redis is another deployment's by now: it was replaced, restored or
    ///   emptied.
    func compareMarks() throws(StoreUnavailable) {
        let marks = try send("HGETALL", KeyNames.deployment)
        try StoreUnavailable.wrapping(compare(marks))
    }

    /// Records the mark of an index key before it comes into force.
    /// - Throws: ``StoreUnavailable``, also if another key has come into force under its id.
    public func recordIndexKey(_ id: UInt8) throws(StoreUnavailable) {
        guard let mark = marks?().indexKeys[id] else { return }
        _ = try send("HSETNX", [KeyNames.deployment, DeploymentMarks.field(ofIndexKey: id), mark], isConfirmed: true)
        try compareMarks()
    }
}
