internal import Synchronization

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
