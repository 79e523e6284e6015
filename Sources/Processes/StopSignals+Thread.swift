internal import Glibc

extension StopSignals {
    /// Waits for a stop signal on a thread of its own and then calls `action` there, once, with the signal's number.
    ///
    /// Call ``block()`` first.
    /// - Throws: ``StartError`` where the system gives no thread.
    public static func whenStopped(_ action: @escaping @Sendable (Int32) -> Void) throws(StartError) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Action(run: action))
        let result = pthread_create(&thread, nil, waitAndRun, box.toOpaque())
        guard result == 0 else {
            box.release()
            throw .outOfResources(errno: result)
        }
        pthread_detach(thread)
    }

    private final class Action {
        let run: @Sendable (Int32) -> Void

        init(run: @escaping @Sendable (Int32) -> Void) {
            self.run = run
        }
    }

    private static let waitAndRun: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument else { return nil }
        let action = Unmanaged<Action>.fromOpaque(argument).takeRetainedValue()
        action.run(StopSignals.wait())
        return nil
    }
}
