internal import Redis

/// Which index key is in force: the key under whose hashes numbers and e-mail addresses are found.
///
/// Redis states it, not a clock, so that no two workers ever look for one number under different hashes.
public enum IndexKeyState: Hashable, Sendable {
    /// All claims are under this key's hashes.
    case inForce(UInt8)
    /// Claims are being copied from one key's hashes to the other's. No one looks for an identifier meanwhile. Both are
    /// the same key while an interrupted move is undone.
    case moving(from: UInt8, to: UInt8)

    /// The key in force where Redis states none: that of a deployment that never moved.
    public static let first = IndexKeyState.inForce(IndexKeyHash.firstID)

    /// Reads what Redis states: `2`, or `1>2` during a move.
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

/// How the hashes of numbers, e-mail addresses and recovery codes say under which index key they were made: `2.` in
/// front of base64url. Those under the first key have nothing in front.
public enum IndexKeyHash {
    /// The id of a deployment's first index key.
    public static let firstID: UInt8 = 1

    /// A hash under the index key with this id.
    public static func text(_ hash: String, under id: UInt8) -> String {
        id == firstID ? hash : "\(id).\(hash)"
    }

    /// The id of the index key that a hash was made under.
    public static func id(of hash: some StringProtocol) -> UInt8 {
        guard let dot = hash.utf8.firstIndex(of: UInt8(ascii: ".")) else { return firstID }
        return UInt8(hash[..<dot]) ?? firstID
    }
}

extension Store {
    /// Which index key is in force.
    /// - Throws: ``StoreUnavailable``.
    public func indexKeyState() throws(StoreUnavailable) -> IndexKeyState {
        let reply = try send("GET", KeyNames.indexKeyState)
        if reply.isNull { return .first }
        guard let state = IndexKeyState(text: try reply.text()) else { throw .unexpectedReply }
        return state
    }

    /// Replaces a state by another in one atomic step, unless it is no longer the state.
    /// - Returns: whether `new` is the state now.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func replaceIndexKeyState(
        _ former: IndexKeyState,
        by new: IndexKeyState
    ) throws(StoreUnavailable) -> Bool {
        try run(
            Scripts.replaceIndexKeyState,
            isConfirmed: true,
            keys: [KeyNames.indexKeyState],
            [.text(former.text), .text(new.text), .text(IndexKeyState.first.text)]
        ).integer() == 1
    }

    /// Takes or keeps the lock of moves for `milliseconds`; false if another move has it.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func holdIndexKeyMove(_ holder: String, milliseconds: Int64) throws(StoreUnavailable) -> Bool {
        try run(Scripts.holdLock, keys: [KeyNames.indexKeyMove], [.text(holder), .integer(milliseconds)]).integer() == 1
    }

    /// Releases the lock of moves.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func releaseIndexKeyMove(_ holder: String) throws(StoreUnavailable) {
        _ = try run(Scripts.deleteIfEqual, keys: [KeyNames.indexKeyMove], [.text(holder)])
    }

    /// What tells this run of Redis from another one, which may lack the last writes of this one; nil if Redis does not
    /// let this user ask.
    /// - Throws: ``StoreUnavailable``.
    public func serverRunID() throws(StoreUnavailable) -> String? {
        guard let information = try? pipeline("INFO", [["server"]]).first?.text() else {
            try ping()
            return nil
        }
        let line = information.split(whereSeparator: \.isNewline).first { $0.hasPrefix("run_id:") }
        return line.map { String($0.dropFirst("run_id:".count)) }
    }
}
