internal import Redis

/// The index key in use: the key of the keyed hashes by which numbers and e-mail addresses are found.
///
/// The state is stored in Redis and does not depend on a clock, so two workers never look for one number under
/// different hashes.
public enum IndexKeyState: Hashable, Sendable {
    /// All claims are under this key's hashes.
    case inForce(UInt8)
    /// Claims are being copied from one key's hashes to the other's, and no identifier is looked up until that is done.
    /// Both keys are the same while an interrupted move is undone.
    case moving(from: UInt8, to: UInt8)

    /// The state if Redis has none: a deployment that never moved.
    public static let first = IndexKeyState.inForce(IndexKeyHash.firstID)

    /// Parses the stored state: `2`, or `1>2` during a move.
    init?(text: String) {
        let ids = text.split(separator: ">", omittingEmptySubsequences: false).map { UInt8($0) }
        switch ids.count {
        case 1:
            guard let id = ids[0] else { return nil }
            self = .inForce(id)
        case 2:
            guard let former = ids[0], let next = ids[1] else { return nil }
            self = .moving(from: former, to: next)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .inForce(let id): String(id)
        case .moving(let former, let next): "\(former)>\(next)"
        }
    }
}

/// The index key of a hash of a number, e-mail address or recovery code: stored as a prefix, such as `2.`, before the
/// base64url. Hashes under the first key have no prefix.
public enum IndexKeyHash {
    /// The id of a deployment's first index key.
    public static let firstID: UInt8 = 1

    /// Returns a hash with the prefix of this index key.
    public static func text(_ hash: String, under id: UInt8) -> String {
        id == firstID ? hash : "\(id).\(hash)"
    }

    /// Returns the id of the index key of a hash.
    public static func id(of hash: some StringProtocol) -> UInt8 {
        guard let dot = hash.utf8.firstIndex(of: UInt8(ascii: ".")) else { return firstID }
        return UInt8(hash[..<dot]) ?? firstID
    }
}

extension Store {
    /// Returns the index key in use. Workers read it once a second, so the same round trip compares the deployment's
    /// marks.
    /// - Throws: ``StoreUnavailable``, also if Redis is another deployment's by now: it was replaced, restored or
    ///   emptied.
    public func indexKeyState() throws(StoreUnavailable) -> IndexKeyState {
        guard let reply = try readComparing([("GET", [KeyNames.indexKeyState])]).first else { throw .unexpectedReply }
        if reply.isNull { return .first }
        guard let state = IndexKeyState(text: try reply.text()) else { throw .unexpectedReply }
        return state
    }

    /// Replaces a state with another in one atomic step, unless it has changed (compare and set).
    /// - Returns: whether `new` is now the state.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func replaceIndexKeyState(
        _ former: IndexKeyState,
        by new: IndexKeyState
    ) throws(StoreUnavailable) -> Bool {
        try run(
            .replaceIndexKeyState,
            isConfirmed: true,
            keys: ["stateKey": KeyNames.indexKeyState],
            ["former": .text(former.text), "new": .text(new.text), "absent": .text(IndexKeyState.first.text)]
        ).integer() == 1
    }

    /// Acquires or renews the lock of moves for `milliseconds`. Returns false if another move holds it.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func holdIndexKeyMove(_ holder: String, milliseconds: Int64) throws(StoreUnavailable) -> Bool {
        try run(
            .holdLock,
            keys: ["lockKey": KeyNames.indexKeyMove],
            ["holder": .text(holder), "life": .integer(milliseconds)]
        ).integer() == 1
    }

    /// Releases the lock of moves.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func releaseIndexKeyMove(_ holder: String) throws(StoreUnavailable) {
        _ = try delete(KeyNames.indexKeyMove, ifEqualTo: holder)
    }

    /// Returns Redis's run id, or the run ids of all masters of a cluster; nil if the ACL denies them. A Redis with
    /// another run id may lack the last writes of this one.
    /// - Throws: ``StoreUnavailable``.
    public func serverRunID() throws(StoreUnavailable) -> String? {
        var ids: [String] = []
        for reply in try replies(ofAllServersTo: "INFO", ["server"]) {
            guard let id = reply.information?["run_id"] else { return nil }
            ids.append(id)
        }
        return ids.sorted().joined(separator: " ")
    }
}
