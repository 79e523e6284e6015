import Encodings
import PhoneAuth
import Synchronization
import TestServers

/// A clock that moves only when a test moves it, random bytes that a seed determines, and a record of pauses.
final class SettableEnvironment: Sendable {
    private let time: Atomic<Int64>
    private let generator: Mutex<SplitMix>
    private let notedPauses = Mutex<[Duration]>([])

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

    /// The pauses made so far.
    var pauses: [Duration] { notedPauses.withLock { $0 } }

    private func pause(_ time: Duration) {
        notedPauses.withLock { $0.append(time) }
        // Racing threads need the pause.
        Environment.system.pause(time)
    }

    var environment: Environment {
        Environment(now: { self.now }, randomBytes: { self.randomBytes($0) }, pause: { self.pause($0) })
    }
}
