import Encodings
import Glibc
import Logging
import PhoneAuth
import Threads

/// A watch that reloads the signing keys, secrets and index keys of a changed key file while a worker or dispatcher
/// runs, and activates secrets when they become due. Redis states which index key is current.
final class KeyFileWatch: Sendable {
    private let keys: ServerKeys
    private let environment: Environment
    private let file: FileWatch

    init(_ path: String, _ keys: ServerKeys, _ policy: Policy, _ environment: Environment, _ logger: Logger) {
        self.keys = keys
        self.environment = environment
        file = FileWatch(path, "the key file cannot be used: the keys stay unchanged", logger) { text in
            try Self.adopt(text, keys, policy, environment, logger)
        }
    }

    /// Checks the file and other files every second, on one thread, which runs until the process ends.
    func start(beside others: [FileWatch] = []) throws(ThreadError) {
        _ = try WorkThread(name: "key-file") {
            while true {
                self.look()
                for file in others { file.look() }
                sleep(1)
            }
        }
    }

    /// Checks the file once.
    func look() {
        file.look()
        keys.advance(to: environment.now())
    }

    private static func adopt(
        _ text: [UInt8],
        _ keys: ServerKeys,
        _ policy: Policy,
        _ environment: Environment,
        _ logger: Logger
    ) throws {
        let known = Set(keys.signingKeys.current.published.map(\.id))
        let now = environment.now()
        guard try keys.adopt(KeyFile.parse(text), at: now) else { return }
        let current = keys.signingKeys.current
        logger.info(
            "the signing keys changed",
            metadata: [
                "signs": "\(current.signing(at: now).id)", "published": .stringConvertible(current.published.count),
            ]
        )
        let soonest = now + policy.publicKeyCacheLifetime
        for (id, state) in current.states(at: now) where !known.contains(id) && state.begins(before: soonest) {
            logger.warning(
                "a signing key becomes active before every verifier has fetched it",
                metadata: ["key": "\(id)"]
            )
        }
    }
}

extension SigningKeyState {
    fileprivate func begins(before time: Instant) -> Bool {
        switch self {
        case .next(let signsFrom): signsFrom < time
        case .signing: true
        case .verifying, .retirable: false
        }
    }
}
