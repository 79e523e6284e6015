import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// A child's lifetime, compared with that of the process and the thread that started it.
@Suite struct LifetimeTests {
    @Test("a child dies with its parent unless configured otherwise", arguments: [true, false])
    func diesWithParent(dies: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, dies = dies as Bool] in
            _ = try ChildProcess.start(
                "sh",
                ["-c", "echo $$ > made; mv made pid; exec sleep 600"],
                workingFolder: path,
                diesWithParent: dies
            )
            _ = eventually { access("\(path)/pid", F_OK) == 0 }
            kill(getpid(), SIGKILL)
        }
        let child = try #require(Int32(folder.read("pid").dropLast()))
        defer { kill(child, SIGKILL) }
        let hasDied = eventually(within: dies ? .seconds(60) : .milliseconds(200)) { !isRunning(child) }
        #expect(hasDied == dies, "state \(processState(child).map { String($0) } ?? "none")")
    }

    @Test("a child survives the thread that started it")
    func outlivesThread() throws {
        let starter = Starter()
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { argument in
                if let argument { Unmanaged<Starter>.fromOpaque(argument).takeUnretainedValue().start() }
                return nil
            },
            Unmanaged.passUnretained(starter).toOpaque()
        )
        pthread_join(thread, nil)
        let child = try #require(starter.child.withLock { $0 })
        #expect(child.waitForExit(atMost: .milliseconds(200)) == nil)
        child.stop()
    }

    @Test("Ctrl-C reaches only children in the parent's own group")
    func interrupt() async {
        await #expect(processExitsWith: .success) {
            // A terminal sends SIGINT to its foreground group, so this process becomes the leader of its own group.
            setpgid(0, 0)
            signal(SIGINT, SIG_IGN)
            let apart = try ChildProcess.start("sleep", ["600"])
            let along = try ChildProcess.start("sleep", ["600"], hasOwnGroup: false)
            kill(0, SIGINT)
            #expect(along.waitForExit(atMost: .seconds(60)) == .killed(signal: SIGINT))
            #expect(apart.waitForExit(atMost: .milliseconds(100)) == nil)
            #expect(apart.stop(patience: .seconds(60)) == .killed(signal: SIGTERM))
        }
    }
}

private final class Starter: Sendable {
    let child = Mutex<ChildProcess?>(nil)
    func start() { child.withLock { $0 = try? ChildProcess.start("sleep", ["600"]) } }
}
