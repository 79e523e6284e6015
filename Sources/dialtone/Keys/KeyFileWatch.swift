import Encodings
import Glibc
import Logging
import PhoneAuth
import Threads
import Synchronization

/// A watch that reloads the signing keys, secrets and index keys of a changed key file while a worker or dispatcher
/// runs, and activates secrets when they become due. Redis states which index key is current.
///
/// A check takes one `stat`; the file is read only if `stat` shows a change. If the file cannot be read or used, the
/// keys stay unchanged, and the error is logged once until the file changes again.
final class KeyFileWatch: Sendable {
    /// What `stat` reports about the path.
    private enum FileState: Equatable {
        case file(FileVersion)
        case nothing(errno: Int32)
    }

    private let path: String
    private let keys: ServerKeys
    private let policy: Policy
    private let environment: Environment
    private let logger: Logger
    private let lastState = Mutex<FileState?>(nil)

    init(_ path: String, _ keys: ServerKeys, _ policy: Policy, _ environment: Environment, _ logger: Logger) {
        self.path = path
        self.keys = keys
        self.policy = policy
        self.environment = environment
        self.logger = logger
    }

    /// Checks the file every second, on its own thread, which runs until the process ends.
    func start() throws(ThreadError) {
        _ = try WorkThread(name: "key-file") {
            while true {
                self.look()
                sleep(1)
            }
        }
    }

    /// Checks the file once.
    func look() {
        defer { keys.advance(to: environment.now()) }
        let state = self.state()
        guard lastState.withLock({ $0 != state }) else { return }
        do {
            if case .nothing(let error) = state { throw Failure("\(path): \(String(cString: strerror(error)))") }
            let text = try readFile(path)
            // The file is still being written. The next check reads it.
            guard self.state() == state else { return }
            try adopt(text)
        } catch {
            logger.error("the key file cannot be used: the keys stay unchanged", metadata: ["reason": "\(error)"])
        }
        lastState.withLock { $0 = state }
    }

    private func adopt(_ text: [UInt8]) throws {
        let known = Set(keys.signingKeys.current.published.map(\.id))
        let now = environment.now()
        do {
            guard try keys.adopt(KeyFile.parse(text), at: now) else { return }
        } catch {
            throw Failure("\(path): \(error)")
        }
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

    private func state() -> FileState {
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
