internal import Cryptography
internal import Synchronization

/// The symmetric secrets of a deployment in their generations: each is a data key, and the server key under which codes
/// and authenticators are derived meanwhile.
///
/// A sealed value begins with its data key's id, and so names its generation. What is derived for something sealed,
/// such as a session's code, is derived under the server key of the same generation. Authenticators that stand alone
/// are made by the generation in use and accepted of any: they have 128 bits or more, so that several keys make
/// guessing no easier.
struct SecretKeys: Sendable {
    struct Generation: Sendable {
        let id: UInt8
        /// Seals and opens under the data key.
        let cipher: AES256GCM
        /// Derives under the server key.
        let codes: KeyedHash
        /// From when on it is used; nil for a generation that always was.
        let usedFrom: Instant?
    }

    /// In the order in which they come into use.
    private let generations: [Generation]
    private let codesByID: [UInt8: KeyedHash]
    /// The generation in use seals and derives.
    private let current: Int
    let data: DataKeys

    /// - Parameters:
    ///   - generations: in any order; of two that begin at one time the later one in the list is used. Nil if there is
    ///     none or two have one id.
    ///   - now: when they are used; nil uses the oldest.
    init?(_ generations: [Generation], at now: Instant?) {
        let beginning = Instant(milliseconds: .min)
        self.generations = generations.enumerated().sorted { left, right in
            (left.element.usedFrom ?? beginning, left.offset) < (right.element.usedFrom ?? beginning, right.offset)
        }.map(\.element)
        current = self.generations.lastIndex { ($0.usedFrom ?? beginning) <= (now ?? beginning) } ?? 0
        guard self.generations.indices.contains(current),
            let data = DataKeys(
                self.generations.map { ($0.id, $0.cipher) },
                sealing: self.generations[current].id
            )
        else { return nil }
        self.data = data
        codesByID = Dictionary(generations.map { ($0.id, $0.codes) }) { first, _ in first }
    }

    /// The same secrets as they are used at another time.
    func at(_ now: Instant) -> SecretKeys { SecretKeys(generations, at: now) ?? self }

    /// Derives with the generation in use.
    var codes: KeyedHash { generations[current].codes }

    /// Derives with each generation, the one in use first.
    var allCodes: [KeyedHash] {
        [codes] + generations.filter { $0.id != generations[current].id }.map(\.codes)
    }

    /// Derives for what was sealed by a generation; nil for one that is not known.
    func codes(sealedBy id: UInt8) -> KeyedHash? { codesByID[id] }

    /// Whether a sealed value may open here.
    func knows(_ sealed: some Collection<UInt8>) -> Bool { sealed.first.map { codesByID[$0] != nil } ?? false }

    /// Whether all generations of other keys are here.
    func includes(_ other: SecretKeys) -> Bool { other.codesByID.keys.allSatisfy { codesByID[$0] != nil } }

    /// What each generation does at a time.
    func states(at now: Instant) -> [(id: UInt8, state: SecretKeyState)] {
        let used = at(now).current
        return generations.indices.map { index in
            let generation = generations[index]
            if index == used { return (generation.id, .used(since: generation.usedFrom)) }
            guard index > used, let usedFrom = generation.usedFrom else { return (generation.id, .reading) }
            return (generation.id, .next(usedFrom: usedFrom))
        }
    }
}

/// What a generation of secrets does at a time.
public enum SecretKeyState: Hashable, Sendable {
    /// It waits until all machines have it.
    case next(usedFrom: Instant)
    /// It seals and derives; since always if there is no time.
    case used(since: Instant?)
    /// What it sealed and derived is still read.
    case reading
}

/// The secrets that are in force, shared by all threads.
final class SecretKeyRing: Sendable {
    private let keys: Mutex<SecretKeys>

    init(_ keys: SecretKeys) {
        self.keys = Mutex(keys)
    }

    var current: SecretKeys { keys.withLock { $0 } }

    func replace(with other: SecretKeys) {
        keys.withLock { $0 = other }
    }
}
