import Encodings
import PhoneAuth
import Synchronization

/// A clock that moves only when a test moves it.
final class SettableClock: Sendable {
    static let start = Instant(milliseconds: 1_790_000_000_000)

    private let time = Mutex(SettableClock.start)

    var now: Instant { time.withLock { $0 } }

    func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }

    var environment: Environment {
        Environment(now: { [self] in now }, randomBytes: { [UInt8](repeating: 0, count: $0) }, pause: { _ in })
    }
}
