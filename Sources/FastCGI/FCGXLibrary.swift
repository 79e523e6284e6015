import CFastCGI
import Glibc

/// libfcgi's process-wide state, initialized and checked once.
enum FCGXLibrary {
    private static let result: Int32 = {
        // libfcgi installs its own handlers for these signals. This server needs none of them, and the program owns the
        // signals, so the previous actions are restored.
        let signals = [SIGPIPE, SIGUSR1, SIGTERM]
        var held = sigset_t()
        var before = sigset_t()
        sigemptyset(&held)
        for signal in signals { sigaddset(&held, signal) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
        let actions = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return action
        }
        defer {
            for (signal, var action) in zip(signals, actions) { sigaction(signal, &action, nil) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return FCGX_Init()
    }()

    private static let selfCheck = Result { () throws(ServerError) in try FCGXSelfCheck.run() }

    static func start() throws(ServerError) {
        if result != 0 { throw .systemCall("FCGX_Init", error: abs(result)) }
        try selfCheck.get()
    }
}
