import Encodings
import Glibc
import Processes
import TestServers
import Testing

/// Files with very many accounts.
@Suite(.tags(.load)) struct LargeImportTests {
    /// Returns a line such as `{"localId":"u0000042",…}`. The numbers are never used for sending.
    private static func line(_ index: Int) -> String {
        let digits = String(String(10_000_000 + index).dropFirst())
        return #"{"localId":"u\#(digits)","phoneNumber":"+1650\#(digits)","email":"u\#(digits)@example.com","#
            + #""displayName":"User \#(digits)","createdAt":1600000000000,"disabled":false,"emailVerified":true}"#
            + "\n"
    }

    private func write(_ count: Int, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ServerFailure(description: "no file") }
        defer { close(descriptor) }
        for start in stride(from: 0, to: count, by: 1000) {
            let bytes = Array((start..<min(start + 1000, count)).map(Self.line).joined().utf8)
            #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        }
    }

    private func start(_ server: RunningServer, _ folder: TemporaryFolder, _ arguments: [String]) throws -> ChildProcess
    {
        try ChildProcess.start(
            RunningServer.binary,
            ["users"] + arguments + ["--config", server.configuration],
            output: .file(path: folder.path(of: "output")),
            errors: .file(path: folder.path(of: "errors"))
        )
    }

    @Test("an import that is killed repeatedly gives the same result as an uninterrupted one")
    func killed() throws {
        let (server, other) = (try RunningServer(workers: 1), try RunningServer(workers: 1))
        let folder = try TemporaryFolder()
        let file = folder.path(of: "users.jsonl")
        let count = 2000
        try write(count, to: file)
        var generator = SplitMix(seed: 9)
        var kills = 0
        while kills < 12 {
            let process = try start(server, folder, ["import", file])
            let life = Duration.milliseconds(Int.random(in: 20...400, using: &generator))
            if process.waitForExit(atMost: life) != nil { break }
            process.stop(SIGKILL)
            kills += 1
        }
        #expect(kills > 0)
        let last = try server.dialtone("users", "import", file)
        #expect(last.isFine)
        #expect(try other.dialtone("users", "import", file).output.hasPrefix("created \(count),"))
        let exported = try server.dialtone("users", "export").output
        #expect(exported == (try other.dialtone("users", "export").output))
        #expect(exported.split(separator: "\n").count == count)
        let again = try server.dialtone("users", "import", file).output
        #expect(again == "created 0, unchanged \(count), kept 0, overwritten 0, refused 0\n")
    }

    @Test("a file ten times as large needs no more memory for import and export")
    func memory() throws {
        let server = try RunningServer(workers: 1)
        let folder = try TemporaryFolder()
        var peaks: [Int] = []
        for count in [1000, 10_000] {
            let file = folder.path(of: "\(count).jsonl")
            try write(count, to: file)
            for arguments in [["import", file], ["export"]] {
                let process = try start(server, folder, arguments)
                var peak = 0
                while process.waitForExit(atMost: .milliseconds(5)) == nil {
                    peak = max(peak, processMemory(process.processID, "VmHWM"))
                }
                #expect(process.waitForExit() == .exited(0))
                peaks.append(peak)
            }
        }
        #expect(peaks[2] < peaks[0] + 16_384 && peaks[3] < peaks[1] + 16_384, "\(peaks) KiB")
    }
}
