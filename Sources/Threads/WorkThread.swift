internal import CThreads
internal import Glibc

/// A POSIX thread that is joined or detached once, unless it runs as long as the process.
///
/// The thread blocks all signals except those of its own faults. Other threads of the program handle signals; in this
/// thread, a signal would interrupt a read that has a timeout.
package struct WorkThread: Sendable {
    /// The stack size. All threads need little, and stack that is not used costs only address space.
    private static let stackBytes = 512 * 1024

    private final class Body: Sendable {
        let name: String
        let niceness: Int32
        let run: @Sendable () -> Void

        init(name: String, niceness: Int32, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.niceness = niceness
            self.run = run
        }
    }

    private let thread: pthread_t

    /// Starts a thread. With a `niceness` above 0, the thread gets a smaller share of a busy processor, if the system
    /// allows that.
    package init(name: String, niceness: Int32 = 0, run: @escaping @Sendable () -> Void) throws(ThreadError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackBytes)

        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&blocked, fault) }
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let body = Unmanaged.passRetained(Body(name: name, niceness: niceness, run: run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                cthreads_name_thread(body.name)
                if body.niceness > 0 { cthreads_be_nice(body.niceness) }
                body.run()
                return nil
            },
            body.toOpaque()
        )
        guard failure == 0 else {
            body.release()
            throw ThreadError(error: failure)
        }
        self.thread = thread
    }

    /// Waits until the thread ends.
    package func join() {
        pthread_join(thread, nil)
    }

    /// Frees the thread's stack once the thread ends. No thread waits for that.
    package func detach() {
        pthread_detach(thread)
    }
}

/// The error if a thread could not be created, usually because memory or the system's limit of threads is exhausted.
public struct ThreadError: Error, Hashable, CustomStringConvertible {
    /// The error number of `pthread_create`.
    public let error: Int32

    /// One line for the operator.
    public var description: String { "cannot start a thread: pthread_create: \(String(cString: strerror(error)))" }
}
