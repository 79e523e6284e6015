import Glibc
import Logging
import PhoneAuth
import Threads
import Synchronization

/// Puts the signing keys and secrets of a changed key file in force while a worker or dispatcher runs, and secrets when
/// their time comes. Index keys are taken over, too; Redis states which one is in force.
///
/// A look costs one `stat`; the file is read where that tells of a change. What cannot be read or used leaves the keys as they are
/// and is logged once, until the file changes again.
final class KeyFileWatch: Sendable {
    /// What there is at the path.
    private enum Sight: Equatable {
        case file(FileVersion)
        case nothing(errno: Int32)
    }

    private let path: String
    private let keys: ServerKeys
    private let policy: Policy
    private let environment: Environment
    private let logger: Logger
    private let lastSight = Mutex<Sight?>(nil)

    init(_ path: String, _ keys: ServerKeys, _ policy: Policy, _ environment: Environment, _ logger: Logger) {
        self.path = path
        self.keys = keys
        self.policy = policy
        self.environment = environment
        self.logger = logger
    }

    /// Looks every second, on a thread of its own that ends with the process.
    func start() throws(ThreadError) {
        _ = try WorkThread(name: "key-file") {
            while true {
                self.look()
                sleep(1)
            }
        }
    }

    /// Looks once.
    func look() {
        defer { keys.advance(to: environment.now()) }
        let sight = self.sight()
        guard lastSight.withLock({ $0 != sight }) else { return }
        do {
            if case .nothing(let error) = sight { throw Failure("\(path): \(String(cString: strerror(error)))") }
            let text = try readFile(path)
            // It is being written: there will be another look.
            guard self.sight() == sight else { return }
            try adopt(text)
        } catch {
            logger.error("the key file cannot be used: the keys stay as they are", metadata: ["reason": "\(error)"])
        }
        lastSight.withLock { $0 = sight }
    }

    private func adopt(_ text: [UInt8]) throws {
        let known = Set(keys.signingKeys.current.published.map(\.id))
        do {
            guard try keys.adopt(KeyFile.parse(text)) else { return }
        } catch {
            throw Failure("\(path): \(error)")
        }
        let (now, current) = (environment.now(), keys.signingKeys.current)
        logger.info(
            "the signing keys changed",
            metadata: [
                "signs": "\(current.signing(at: now).id)", "published": .stringConvertible(current.published.count),
            ]
        )
        let soonest = now + policy.publicKeyCacheLifetime
        for (id, state) in current.states(at: now) where !known.contains(id) && state.begins(before: soonest) {
            logger.warning("a signing key begins before every verifier can know it", metadata: ["key": "\(id)"])
        }
    }

    private func sight() -> Sight {
        FileVersion(of: path).map { .file($0) } ?? .nothing(errno: errno)
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
