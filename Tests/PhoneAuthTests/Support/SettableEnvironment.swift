import Encodings
import PhoneAuth
import Synchronization
import TestServers

/// A clock that moves only when a test moves it, and random bytes that a seed determines.
final class SettableEnvironment: Sendable {
    private let time: Atomic<Int64>
    private let generator: Mutex<SplitMix>

    init(seed: UInt64, milliseconds: Int64 = 1_700_000_000_250) {
        time = Atomic(milliseconds)
        generator = Mutex(SplitMix(seed: seed))
    }

    var now: Instant { Instant(milliseconds: time.load(ordering: .sequentiallyConsistent)) }

    func advance(by duration: Duration) {
        time.add(duration.milliseconds, ordering: .sequentiallyConsistent)
    }

    func randomBytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }

    var environment: Environment {
        Environment(now: { self.now }, randomBytes: { self.randomBytes($0) })
    }
}
