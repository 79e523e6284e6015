import Synchronization
import Threads

/// Returns whether a second thread becomes active while the first one waits, in a group with at most one active thread.
///
/// - Parameters:
///   - wait: the wait of the first thread, which must end by itself within seconds.
///   - end: the work of the second thread, which may end the wait.
/// - Returns: whether the second thread was active before the wait ended.
/// - Throws: the error if a thread cannot be started.
public func anotherThreadIsActive(
    during wait: @escaping @Sendable () -> Void,
    ended end: @escaping @Sendable () -> Void = {}
) throws -> Bool {
    let group = ActiveThreads(maximum: 1)
    let firstIsActive = Semaphore()
    let progress = Progress()
    let first = try WorkThread(name: "first") {
        group.run {
            firstIsActive.signal()
            wait()
            progress.wasActiveInTime.store(progress.isActive.load(ordering: .acquiring), ordering: .releasing)
        }
    }
    firstIsActive.wait()
    let second = try WorkThread(name: "second") {
        group.run {
            progress.isActive.store(true, ordering: .releasing)
            end()
        }
    }
    first.join()
    second.join()
    return progress.wasActiveInTime.load(ordering: .acquiring)
}

private final class Progress: Sendable {
    let isActive = Atomic(false)
    let wasActiveInTime = Atomic(false)
}
