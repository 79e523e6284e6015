import Glibc
import Processes
import TestServers
import Testing

/// The descriptors and signals that a child inherits, and those that it must not inherit.
@Suite struct InheritanceTests {
    @Test("a descriptor is passed under the requested number")
    func descriptorThree() throws {
        let folder = try TemporaryFolder()
        let file = open(folder.path(of: "out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let child = try ChildProcess.start("sh", ["-c", "echo hello >&3"], inheriting: [(descriptor: file, as: 3)])
        #expect(child.waitForExit() == .exited(0))
        #expect(folder.read("out") == "hello\n")
    }

    @Test("descriptors are passed under any numbers, even if the numbers overlap", arguments: [true, false])
    func renumbered(swapped: Bool) throws {
        let folder = try TemporaryFolder()
        let first = open(folder.path(of: "first"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let second = open(folder.path(of: "second"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { for file in [first, second] { close(file) } }
        // For the case without a swap: free numbers, beyond those of the copies that the start itself makes.
        let free = (0..<5).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for file in free { close(file) }
        let (one, other) = swapped ? (second, first) : (free[4], free[3])
        // Bash, unlike dash, redirects to two-digit descriptors.
        let child = try ChildProcess.start(
            "bash",
            ["-c", "echo one >&\(one); echo other >&\(other)"],
            inheriting: [(descriptor: first, as: one), (descriptor: second, as: other)]
        )
        #expect(child.waitForExit() == .exited(0))
        #expect(folder.read("first") == "one\n")
        #expect(folder.read("second") == "other\n")
    }

    @Test("descriptor 0 replaces the empty input")
    func input() throws {
        let folder = try TemporaryFolder()
        try folder.write("words", to: "in")
        let file = open(folder.path(of: "in"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let output = folder.path(of: "out")
        let child = try ChildProcess.start("cat", output: .file(path: output), inheriting: [(descriptor: file, as: 0)])
        #expect(child.waitForExit() == .exited(0))
        #expect(folder.read("out") == "words")
        #expect(try FinishedProcess.run("cat").output == "")
    }

    @Test("children that start concurrently inherit only their own descriptors")
    func noLeaks() async throws {
        // Without close-on-exec, as a careless library would open it.
        let stray = open("/dev/null", O_RDONLY)
        defer { close(stray) }
        let listings = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try FinishedProcess.run("sh", ["-c", "exec ls /proc/self/fd"]).output } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // 3 is the folder that ls reads.
        #expect(listings.allSatisfy { $0 == "0\n1\n2\n3\n" })
    }

    @Test("signals that the parent blocks or ignores reach the child")
    func signals() throws {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, SIG_DFL) }
        let status = try FinishedProcess.run("cat", ["/proc/self/status"]).output
        #expect(status.contains("SigBlk:\t0000000000000000"))
        let ignored = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.dropFirst(8))
        // The C library reserves 32 and 33.
        #expect(try #require(UInt64(ignored, radix: 16)) & 0x7fff_ffff == 0)
        let child = try ChildProcess.start("sleep", ["60"])
        #expect(child.stop(patience: .seconds(60)) == .killed(signal: SIGTERM))
    }
}
