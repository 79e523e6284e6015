internal import Synchronization

/// A gate that serializes hashes of more than 32 MiB.
///
/// A worker has a few hundred MiB in all, and some imported hashes take 128 MiB.
final class LargeHashGate: Sendable {
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
