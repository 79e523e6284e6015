public import Encodings
internal import Synchronization

/// A deployment's signing keys, which sign one after the other. All of them are published.
///
/// A key is published before it signs, so that verifiers that cache keys for ``Policy/publicKeyCacheLifetime`` know it
/// in time. It stays published until its last token has expired.
public struct SigningKeys: Sendable, Confidential {
    /// The tolerance for token verifiers whose clocks are behind.
    static let verifierClockSkew: Duration = .seconds(300)

    /// The time for which a signing key stays published after its successor began to sign: the lifetime of the last
    /// token or session cookie that the key signed.
    public static let memory = SessionCookie.lifetimes.upperBound + verifierClockSkew

    /// A key and when it begins to sign.
    struct Period: Sendable {
        let key: SigningKey
        /// Nil for a key that has always signed.
        let signsFrom: Instant?
    }

    /// In signing order; never empty.
    private let periods: [Period]

    /// - Parameter periods: in any order; if two begin at the same time, the later one signs. Nil if there is
    ///   none, two keys have the same id, or two have always signed.
    init?(_ periods: [Period]) {
        guard !periods.isEmpty, Set(periods.map(\.key.id)).count == periods.count,
            periods.count(where: { $0.signsFrom == nil }) <= 1
        else { return nil }
        self.periods = periods.enumerated().sorted { left, right in
            let (leftTime, rightTime) = (left.element.start, right.element.start)
            return leftTime == rightTime ? left.offset < right.offset : leftTime < rightTime
        }.map(\.element)
    }

    /// All keys, in signing order. Tokens of each may be valid.
    public var published: [SigningKey] { periods.map(\.key) }

    /// Returns the key that signs at a time; the first key if none has begun, for example because the machine's clock
    /// is slow.
    public func signing(at now: Instant) -> SigningKey {
        periods[signingIndex(at: now)].key
    }

    /// Returns the published key with this `id`.
    func key(_ id: String) -> SigningKey? {
        periods.first { $0.key.id == id }?.key
    }

    /// Returns the state of each key at a time, in signing order.
    public func states(at now: Instant) -> [(id: String, state: SigningKeyState)] {
        let signing = signingIndex(at: now)
        return periods.indices.map { index in
            let period = periods[index]
            if index == signing { return (period.key.id, .signing(since: period.signsFrom)) }
            guard index < signing else { return (period.key.id, .next(signsFrom: period.start)) }
            let end = periods[index + 1].start + SigningKeys.memory
            return (period.key.id, end <= now ? .retirable(since: end) : .verifying(until: end))
        }
    }

    private func signingIndex(at now: Instant) -> Int {
        periods.lastIndex { $0.start <= now } ?? 0
    }
}

extension SigningKeys.Period {
    fileprivate var start: Instant { signsFrom ?? Instant(milliseconds: .min) }
}

extension SigningKeys: Equatable {
    /// Returns whether both have the same key ids with the same start times.
    public static func == (left: SigningKeys, right: SigningKeys) -> Bool {
        left.periods.elementsEqual(right.periods) { $0.key.id == $1.key.id && $0.signsFrom == $1.signsFrom }
    }
}

/// The signing keys in force, shared by all threads. A reloaded key file replaces all of them atomically.
public final class SigningKeyRing: Sendable {
    private let keys: Mutex<SigningKeys>

    init(_ keys: SigningKeys) {
        self.keys = Mutex(keys)
    }

    /// The keys that are in force now.
    public var current: SigningKeys { keys.withLock { $0 } }

    func replace(with other: SigningKeys) {
        keys.withLock { $0 = other }
    }
}

/// The state of a signing key at a time. A key is published in every state.
public enum SigningKeyState: Hashable, Sendable {
    /// Waits until verifiers know it.
    case next(signsFrom: Instant)
    /// Signs; `since` is nil if it always has.
    case signing(since: Instant?)
    /// Another key signs. The tokens of this key are valid until this time.
    case verifying(until: Instant)
    /// Its last token has expired.
    case retirable(since: Instant)
}
