public import Encodings

/// The signing keys of a deployment, which sign one after the other. All of them are published.
///
/// A key is published before it signs, so that verifiers that keep the keys for ``Policy/publicKeyCacheLifetime`` know it by then,
/// and until its last token has expired.
public struct SigningKeys: Sendable, Confidential {
    /// A key and when its turn begins.
    struct Turn: Sendable {
        let key: SigningKey
        /// Nil for a key that has always signed.
        let signsFrom: Instant?
    }

    /// In the order in which they sign; never empty.
    private let turns: [Turn]

    /// - Parameter turns: in any order; of two that begin at one time the later one in the list signs. Nil where there is none, two
    ///   keys have one id, or two have always signed.
    init?(_ turns: [Turn]) {
        guard !turns.isEmpty, Set(turns.map(\.key.id)).count == turns.count,
            turns.count(where: { $0.signsFrom == nil }) <= 1
        else { return nil }
        self.turns = turns.enumerated().sorted { left, right in
            let (leftTime, rightTime) = (left.element.start, right.element.start)
            return leftTime == rightTime ? left.offset < right.offset : leftTime < rightTime
        }.map(\.element)
    }

    /// All keys whose tokens are good, the oldest first.
    public var published: [SigningKey] { turns.map(\.key) }

    /// The key that signs at a time. Where none has begun, as on a machine whose clock is slow, it is the first.
    public func signing(at now: Instant) -> SigningKey {
        turns[signingIndex(at: now)].key
    }

    /// The published key called `id`.
    func key(_ id: String) -> SigningKey? {
        turns.first { $0.key.id == id }?.key
    }

    /// What each key does at a time, in the order in which they sign.
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
    /// Whether both have keys of the same ids with the same turns.
    public static func == (left: SigningKeys, right: SigningKeys) -> Bool {
        left.turns.elementsEqual(right.turns) { $0.key.id == $1.key.id && $0.signsFrom == $1.signsFrom }
    }
}
