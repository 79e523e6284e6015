import Glibc
import Testing
import Threads

@Suite struct StopSignalsTests {
    @Test(
        "the waiting thread receives a stop signal, and SIGPIPE is ignored",
        arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func waiting(number: Int32) async {
        await #expect(processExitsWith: .exitCode(42)) { [number = number as Int32] in
            StopSignals.block()
            kill(getpid(), SIGPIPE)
            pthread_kill(pthread_self(), number)
            if StopSignals.wait(atMost: .seconds(60)) == number { exit(42) }
        }
    }
}
