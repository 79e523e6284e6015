internal import Synchronization

/// Lets one hash of more than 32 MiB run at a time.
///
/// A worker has a few hundred MiB for all it does, and some imported hashes take 128.
final class LargeHashTurns: Sendable {
    static let largeHashBytes = 32 << 20

    private let turn = Mutex(())

    func run<Value: Sendable>(
        memoryBytes: Int,
        _ work: () throws(OutOfMemory) -> Value
    ) throws(OutOfMemory) -> Value {
        guard memoryBytes > Self.largeHashBytes else { return try work() }
        return try turn.withLock { _ throws(OutOfMemory) in try work() }
    }
}
