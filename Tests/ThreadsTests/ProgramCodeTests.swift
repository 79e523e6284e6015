import Glibc
import Testing
import TestServers
import Threads

@Suite struct ProgramCodeTests {
    /// Returns the mapped pages of files, in KiB.
    private static func mappedFiles() -> Int? {
        readFile("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("RssFile:") }.flatMap { line in
            line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }
        }
    }

    @Test("a process keeps running after its code was unmapped, with less resident memory")
    func unmapping() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let before = try #require(Self.mappedFiles())
            ProgramCode.unmap()
            let after = try #require(Self.mappedFiles())
            // Code that has not run yet, and code that has.
            let sorted = ["b", "c", "a"].sorted().joined()
            if after < before, sorted == "abc" { exit(42) }
        }
    }
}
