internal import Cryptography
public import Encodings
internal import Synchronization

/// A deployment's symmetric secrets by generation: each generation is a data key and a server key, from which codes and
/// authenticators are derived while the generation is in use.
///
/// A sealed value begins with its data key's id, which identifies its generation. Values derived for something sealed,
/// such as a session's code, are derived under the server key of the same generation. Standalone authenticators are
/// made by the generation in use and accepted from any generation: they have 128 bits or more, so accepting several
/// keys makes a guessing attack no easier.
struct SecretKeys: Sendable {
    struct Generation: Sendable {
        let id: UInt8
        /// Seals and opens with the data key.
        let cipher: AES256GCM
        /// Derives with the server key.
        let codes: KeyedHash
        /// When the generation comes into use; nil if it has always been in use.
        let usedFrom: Instant?
    }

    /// In the order in which the generations come into use.
    private let generations: [Generation]
    private let codesByID: [UInt8: KeyedHash]
    /// The index of the generation that seals and derives.
    private let current: Int
    let data: DataKeys

    /// - Parameters:
    ///   - generations: in any order; if two begin at the same time, the later one in the list is used. Nil if there is
    ///     none or two have the same id.
    ///   - now: the time of use; nil uses the oldest generation.
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

    /// Returns the same secrets as used at another time.
    func at(_ now: Instant) -> SecretKeys { SecretKeys(generations, at: now) ?? self }

    /// Derives with the generation in use.
    var codes: KeyedHash { generations[current].codes }

    /// Derives with each generation, the one in use first.
    var allCodes: [KeyedHash] {
        [codes] + generations.filter { $0.id != generations[current].id }.map(\.codes)
    }

    /// Derives for a value that a generation sealed; nil if the generation is unknown.
    func codes(sealedBy id: UInt8) -> KeyedHash? { codesByID[id] }

    /// Returns whether the generation that sealed a value is known.
    func knows(_ sealed: some Collection<UInt8>) -> Bool { sealed.first.map { codesByID[$0] != nil } ?? false }

    /// Returns whether all generations of `other` are included.
    func includes(_ other: SecretKeys) -> Bool { other.codesByID.keys.allSatisfy { codesByID[$0] != nil } }

    /// Returns the state of each generation at a time.
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

/// The state of a generation of secrets at a time.
public enum SecretKeyState: Hashable, Sendable {
    /// Waits until all machines have it.
    case next(usedFrom: Instant)
    /// Seals and derives; `since` is nil if it always has.
    case used(since: Instant?)
    /// Only opens and verifies: values that it sealed and derived are still valid.
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
