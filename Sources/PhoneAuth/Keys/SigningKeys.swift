public import Encodings

/// A deployment's signing keys, which sign one after the other. All of them are published.
///
/// A key is published before it signs, so that verifiers that cache keys for ``Policy/publicKeyCacheLifetime`` know it
/// in time. It stays published until its last token has expired.
public struct SigningKeys: Sendable, Confidential {
    /// A key and when it begins to sign.
    struct Turn: Sendable {
        let key: SigningKey
        /// Nil for a key that has always signed.
        let signsFrom: Instant?
    }

    /// In signing order; never empty.
    private let turns: [Turn]

    /// - Parameter turns: in any order; if two begin at the same time, the later one in the list signs. Nil if there is
    ///   none, two keys have the same id, or two have always signed.
    init?(_ turns: [Turn]) {
        guard !turns.isEmpty, Set(turns.map(\.key.id)).count == turns.count,
            turns.count(where: { $0.signsFrom == nil }) <= 1
        else { return nil }
        self.turns = turns.enumerated().sorted { left, right in
            let (leftTime, rightTime) = (left.element.start, right.element.start)
            return leftTime == rightTime ? left.offset < right.offset : leftTime < rightTime
        }.map(\.element)
    }

    /// All keys, in signing order. Tokens of each may be valid.
    public var published: [SigningKey] { turns.map(\.key) }

    /// Returns the key that signs at a time; the first key if none has begun, for example because the machine's clock
    /// is slow.
    public func signing(at now: Instant) -> SigningKey {
        turns[signingIndex(at: now)].key
    }

    /// Returns the published key with this `id`.
    func key(_ id: String) -> SigningKey? {
        turns.first { $0.key.id == id }?.key
    }

    /// Returns the state of each key at a time, in signing order.
    public func states(at now: Instant) -> [(id: String, state: SigningKeyState)] {
        let signing = signingIndex(at: now)
        return turns.indices.map { index in
            let turn = turns[index]
            if index == signing { return (turn.key.id, .signing(since: turn.signsFrom)) }
            guard index < signing else { return (turn.key.id, .next(signsFrom: turn.start)) }
            let end = turns[index + 1].start + Policy.signingKeyMemory
            return (turn.key.id, end <= now ? .retirable(since: end) : .verifying(until: end))
        }
    }

    private func signingIndex(at now: Instant) -> Int {
        turns.lastIndex { $0.start <= now } ?? 0
    }
}

extension SigningKeys.Turn {
    fileprivate var start: Instant { signsFrom ?? Instant(milliseconds: .min) }
}

extension SigningKeys: Equatable {
    /// Whether both have the same key ids with the same start times.
    public static func == (left: SigningKeys, right: SigningKeys) -> Bool {
        left.turns.elementsEqual(right.turns) { $0.key.id == $1.key.id && $0.signsFrom == $1.signsFrom }
    }
}
