import Glibc

/// Runs `body` on a detached thread.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(ServerFailure) {
    guard let thread = startPthread(body) else { throw ServerFailure(description: "no thread") }
    pthread_detach(thread)
}

/// Runs `body` on a thread, which the caller must join or detach. Returns nil if the system starts no more threads.
func startPthread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var thread = pthread_t()
    let runner = Unmanaged.passRetained(Runner(body))
    let failure = pthread_create(
        &thread,
        nil,
        { argument in
            argument.map { Unmanaged<Runner>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        },
        runner.toOpaque()
    )
    guard failure == 0 else {
        runner.release()
        return nil
    }
    return thread
}

private final class Runner {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
