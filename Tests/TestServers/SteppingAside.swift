import Synchronization
import Threads

/// Whether a second thread of a group that lets one be active at a time becomes active while the first one waits.
///
/// - Parameters:
///   - wait: what the first thread does. It ends by itself after some seconds.
///   - end: what the second thread does, which may end the wait.
/// - Returns: whether the second thread was active before the wait was over.
/// - Throws: what starting a thread throws.
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
