import Glibc
import Processes
import TestServers
import Testing

@Suite struct ChildProcessTests {
    @Test("an exit code is reported unchanged", arguments: [0, 1, 7, 255] as [Int32])
    func exitCode(code: Int32) throws {
        let child = try ChildProcess.start("sh", ["-c", "exit \(code)"])
        #expect(child.waitForExit() == .exited(code))
    }

    @Test("a process that was killed reports its signal", arguments: [SIGTERM, SIGKILL, SIGINT, SIGPIPE])
    func killed(signal: Int32) throws {
        let child = try ChildProcess.start("sleep", ["60"])
        child.send(signal)
        #expect(child.waitForExit() == .killed(signal: signal))
    }

    @Test("a wait with a timeout returns while the process runs")
    func boundedWait() throws {
        let child = try ChildProcess.start("sleep", ["60"])
        let start = ContinuousClock.now
        #expect(child.waitForExit(atMost: .milliseconds(50)) == nil)
        #expect(start.duration(to: .now) >= .milliseconds(50))
        #expect(child.stop(patience: .seconds(60)) == .killed(signal: SIGTERM))
    }

    @Test("many threads can wait for one process")
    func manyWaiters() async throws {
        let child = try ChildProcess.start("sh", ["-c", "sleep 0.1; exit 5"])
        let seen = await withTaskGroup(of: Processes.ExitStatus?.self) { group in
            for _ in 0..<3 { group.addTask { child.waitForExit(atMost: .seconds(60)) } }
            return await group.reduce(into: [Processes.ExitStatus?]()) { $0.append($1) }
        }
        #expect(seen == [.exited(5), .exited(5), .exited(5)])
        #expect(child.waitForExit() == .exited(5))
    }

    @Test("a process that ignores SIGTERM is killed")
    func stubborn() throws {
        let folder = try TemporaryFolder()
        let child = try ChildProcess.start(
            "sh",
            ["-c", "trap '' TERM; echo > ready; while :; do sleep 1; done"],
            workingFolder: folder.path
        )
        #expect(eventually { access(folder.path(of: "ready"), F_OK) == 0 })
        #expect(child.stop(patience: .milliseconds(100)) == .killed(signal: SIGKILL))
    }

    @Test("a stopped (SIGSTOP) process can be terminated")
    func halted() throws {
        let folder = try TemporaryFolder()
        let script = "trap 'exit 9' TERM; echo > ready; while :; do sleep 0.05; done"
        let child = try ChildProcess.start("sh", ["-c", script], workingFolder: folder.path)
        #expect(eventually { access(folder.path(of: "ready"), F_OK) == 0 })
        child.send(SIGSTOP)
        #expect(child.stop(patience: .seconds(60)) == .exited(9))
    }

    @Test("stopping a process also ends the rest of its process group")
    func groupIsCleared() throws {
        let family = try ShellWithSleep()
        family.shell.stop()
        #expect(eventually { !family.sleepRuns })
    }

    @Test("a separate process group protects a child from the terminal's Ctrl-C", arguments: [true, false])
    func ownGroup(hasOwnGroup: Bool) throws {
        let child = try ChildProcess.start("sleep", ["60"], hasOwnGroup: hasOwnGroup)
        #expect(getpgid(child.processID) == (hasOwnGroup ? child.processID : getpgrp()))
        child.stop()
    }

    @Test("each start failure is described in one line")
    func startErrors() throws {
        #expect(throws: StartError.notInstalled("no-such-program")) { try ChildProcess.start("no-such-program") }
        #expect("\(StartError.notInstalled("redis-server"))" == "redis-server is not installed")
        #expect(throws: StartError.notInstalled("/etc/passwd")) { try ChildProcess.start("/etc/passwd") }
        #expect(throws: StartError.cannotEnterFolder("/no-such-folder", errno: ENOENT)) {
            try ChildProcess.start("true", workingFolder: "/no-such-folder")
        }
        #expect(throws: StartError.cannotOpenFile("/no-such-folder/log", errno: ENOENT)) {
            try ChildProcess.start("true", output: .file(path: "/no-such-folder/log"))
        }
        #expect(throws: StartError.cannotInheritDescriptors(errno: EBADF)) {
            try ChildProcess.start("true", inheriting: [(descriptor: 999_999, as: 3)])
        }
        let folder = try TemporaryFolder()
        try folder.write("not a program", to: "program")
        chmod(folder.path(of: "program"), 0o700)
        #expect(throws: StartError.cannotRun(folder.path(of: "program"), errno: ENOEXEC)) {
            try ChildProcess.start(folder.path(of: "program"))
        }
    }

    @Test("the environment is replaced only if one is given")
    func environment() throws {
        #expect(try FinishedProcess.run("/usr/bin/env", environment: ["A": "b c"]).output == "A=b c\n")
        #expect(try FinishedProcess.run("/usr/bin/env").output.contains("PATH="))
    }

    @Test("output and errors are captured separately, however large")
    func outputs() throws {
        let finished = try FinishedProcess.run(
            "sh",
            ["-c", "head -c 1000000 /dev/zero | tr '\\0' x; echo bad >&2; exit 2"]
        )
        #expect(finished.status == .exited(2))
        #expect(finished.output.utf8.count == 1_000_000)
        #expect(finished.errors == "bad\n")
    }

    @Test("a program that exceeds its time limit is killed")
    func overtime() throws {
        #expect(try FinishedProcess.run("sleep", ["60"], atMost: .milliseconds(50)).status == .killed(signal: SIGKILL))
    }
}
