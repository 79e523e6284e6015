import Glibc
import Processes
import Synchronization
import TestServers
import Testing

@testable import Metrics

@Suite struct MetricsFolderTests {
    private let temporary: TemporaryFolder
    private let folder: MetricsFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try MetricsFolder(path: temporary.path(of: "metrics"))
    }

    /// Simulates a process that has counted some requests.
    private func process(requests: UInt64) throws -> MetricRegistry {
        let registry = MetricRegistry()
        try registry.share(in: folder, role: "worker", version: "1.0")
        registry.counter(.requests, "token", "2xx", "ok").add(requests)
        registry.gauge(.hooksInProgress).set(1)
        return registry
    }

    private func requests(_ folder: MetricsFolder? = nil) throws -> UInt64 {
        try (folder ?? self.folder).snapshot().totals.series(of: .requests).reduce(0) { $0 + $1.values[0] }
    }

    private var names: [String] {
        get throws {
            try FinishedProcess.run("ls", [folder.path]).output.split(separator: "\n").map(String.init)
        }
    }

    private var processFiles: [String] { get throws { try names.filter { $0.hasPrefix("v1-process-") } } }

    /// Adds the file of an ended process with some bytes replaced by the same number of others.
    private func addFile(_ name: String, of totals: MetricTotals, replacing old: String, by new: String) throws {
        var bytes = MetricsFileContents.file(of: totals, including: [])
        let start = try #require(bytes.firstRange(of: Array(old.utf8))?.lowerBound)
        #expect(old.utf8.count == new.utf8.count)
        bytes.replaceSubrange(start..<start + new.utf8.count, with: new.utf8)
        let file = try #require(MetricsFile(opening: path("v1-process-\(name)"), O_WRONLY | O_CREAT))
        #expect(write(file.descriptor, bytes, bytes.count) == bytes.count)
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test("values of running and ended processes add up, and gauges count only running ones")
    func sums() throws {
        let first = try process(requests: 1)
        let second = try process(requests: 10)
        #expect(try requests() == 11)
        second.abandon()
        let third = try process(requests: 100)
        let snapshot = try folder.snapshot()
        #expect(try requests() == 111)
        #expect(snapshot.processes.count == 2)
        #expect(snapshot.totals.series(of: .hooksInProgress).map { $0.values[0] } == [2])
        #expect(try processFiles.count == 2)
        first.counter(.requests, "token", "2xx", "ok").add(1000)
        #expect(try requests() == 1111)
        third.abandon()
    }

    @Test("what was counted before the values are shared is kept, and pointers stay valid")
    func countedBefore() throws {
        let registry = MetricRegistry()
        let counter = registry.counter(.requests, "token", "2xx", "ok")
        counter.add(3)
        try registry.share(in: folder, role: "worker", version: "1.0")
        counter.add(4)
        #expect(try requests() == 7)
    }

    @Test("a file grows with its series")
    func growth() throws {
        let registry = try process(requests: 1)
        for number in 0..<900 {
            registry.counter(.requests, "\(number)-" + String(repeating: "x", count: 100), "2xx", "ok").add()
        }
        #expect(try requests() == 901)
        registry.abandon()
        #expect(try requests() == 901)
        #expect(try processFiles.isEmpty)
    }

    @Test("many ended processes leave one file")
    func bounded() throws {
        for _ in 0..<150 { try process(requests: 1).abandon() }
        _ = try folder.snapshot()
        #expect(try requests() == 150)
        #expect(try names == ["v1-ended", "v1-lock"])
    }

    @Test("a process killed after it wrote the sums, but before it removed the files, causes no double counting")
    func killedBeforeRemoval() throws {
        let ended = try process(requests: 5)
        let file = try #require(try processFiles.first)
        let copy = temporary.path(of: "copy")
        _ = try FinishedProcess.run("cp", [path(file), copy])
        ended.abandon()
        #expect(try requests() == 5)
        _ = try FinishedProcess.run("cp", [copy, path(file)])
        #expect(try requests() == 5)
        #expect(try processFiles.isEmpty)
        // The list of included files may then be shorter, but everything still counts once.
        try process(requests: 7).abandon()
        #expect(try requests() == 12)
        #expect(try requests() == 12)
    }

    @Test("a process that is killed while it writes a file leaves nothing behind")
    func killedWhileWriting() throws {
        let registry = try process(requests: 5)
        _ = try FinishedProcess.run("sh", ["-c", "head -c 1000 /dev/urandom > \(path("v1-new-0123"))"])
        #expect(try requests() == 5)
        #expect(try !names.contains("v1-new-0123"))
        registry.abandon()
    }

    @Test("readers see each value once, and no value decreases, while processes end and others merge their files")
    func concurrentReaders() throws {
        let begun = Atomic<UInt64>(0)
        let ended = Atomic<UInt64>(0)
        let isOver = Atomic(false)
        let faults = try inParallel(6) { number -> [String] in
            if number < 2 {
                defer { if number == 0 { isOver.store(true, ordering: .sequentiallyConsistent) } }
                for _ in 0..<100 {
                    begun.add(1, ordering: .sequentiallyConsistent)
                    try self.process(requests: 1).abandon()
                    ended.add(1, ordering: .sequentiallyConsistent)
                }
                return []
            }
            var faults: [String] = []
            var last: UInt64 = 0
            while !isOver.load(ordering: .sequentiallyConsistent) {
                let least = ended.load(ordering: .sequentiallyConsistent)
                let count: UInt64
                do {
                    count = try self.requests()
                } catch {
                    // A read may fail, but must never return wrong values.
                    continue
                }
                let most = begun.load(ordering: .sequentiallyConsistent)
                if count < max(least, last) || count > most { faults.append("\(least), \(last), \(count), \(most)") }
                last = count
            }
            return faults
        }
        #expect(faults.flatMap { $0 } == [])
        #expect(try requests() == 200)
    }

    @Test("a process that adds series while its file is read counts completely")
    func growing() throws {
        let begun = Atomic<UInt64>(0)
        let isOver = Atomic(false)
        let faults = try inParallel(3) { number -> [String] in
            var faults: [String] = []
            guard number == 0 else {
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    let least = begun.load(ordering: .sequentiallyConsistent)
                    let count = try self.requests()
                    if count < least { faults.append("\(count) of \(least)") }
                }
                return faults
            }
            defer { isOver.store(true, ordering: .sequentiallyConsistent) }
            for _ in 0..<100 {
                let registry = try self.process(requests: 1)
                begun.add(1, ordering: .sequentiallyConsistent)
                for series in 0..<50 { registry.counter(.rateLimitsExceeded, "sends", "scope\(series)").add(1) }
            }
            return faults
        }
        #expect(faults.flatMap { $0 } == [])
    }

    @Test("a reader during a merge that is never finished gets the correct sums")
    func stuckMerge() throws {
        try process(requests: 5).abandon()
        let lock = try #require(MetricsFile(opening: path("v1-lock"), O_RDWR | O_CREAT))
        #expect(lock.lock())
        #expect(try requests() == 5)
        #expect(try processFiles.count == 1)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "a damaged file is rejected as a whole, counted and removed",
        arguments: [
            "truncate -s 50", "truncate -s 4096", "truncate -s 70000", "truncate -s 0",
            "dd if=/dev/urandom bs=1 count=64 conv=notrunc status=none of=",
            "dd if=/dev/urandom bs=1 seek=96 count=200 conv=notrunc status=none of=",
            "dd if=/dev/zero bs=1 count=8 conv=notrunc status=none of=",
        ]
    )
    func damagedFile(damage: String) throws {
        let damaged = try process(requests: 1000)
        let file = try #require(try processFiles.first)
        damaged.abandon()
        let other = try MetricRegistry.sharing(in: folder, requests: 5)
        // The other process has merged the file, so it is added again under another name.
        let source = MetricRegistry()
        try source.share(in: folder, role: "worker", version: "1.0")
        for number in 0..<100 { source.counter(.requests, "\(number)", "2xx", "ok").add(1000) }
        let copied = try #require(try processFiles.last { $0 != file })
        let target = path("v1-process-damaged")
        _ = try FinishedProcess.run("cp", [path(copied), target])
        let command = damage.hasSuffix("of=") ? damage + target : "\(damage) \(target)"
        let result = try FinishedProcess.run("sh", ["-c", command])
        #expect(result.status == .exited(0))
        let before = try requests()
        #expect(try !names.contains("v1-process-damaged"))
        #expect(try requests() == before)
        withExtendedLifetime((other, source)) {}
    }

    @Test("a folder, a symbolic link, a pipe and a sparse file under a process's name are harmless")
    func strangeFiles() throws {
        let registry = try process(requests: 5)
        for command in [
            "mkdir v1-process-folder", "ln -s /dev/zero v1-process-link", "mkfifo v1-process-pipe",
            "truncate -s 1000000 v1-process-sparse", "truncate -s 99999999 v1-process-large",
            "mkdir v1-new-folder", "ln -s /etc/passwd v1-new-link", "echo x > foreign",
        ] {
            _ = try FinishedProcess.run("sh", ["-c", "cd \(folder.path) && \(command)"])
        }
        #expect(try requests() == 5)
        #expect(try names.contains("foreign"))
        #expect(try FinishedProcess.run("stat", ["/etc/passwd"]).status == .exited(0))
        registry.abandon()
    }

    @Test("a file with hostile keys and labels neither breaks the text nor exceeds its bounds")
    func hostileContent() throws {
        var totals = MetricTotals()
        totals.add(.requests, ["a\nb 1\n# EOF", "\"", "\\"], 1)
        try addFile("hostile", of: totals, replacing: #"a\nb"#, by: "a\n b")
        let snapshot = try folder.snapshot()
        #expect(snapshot.totals.series(of: .requests).isEmpty)
        #expect(snapshot.totals.series(of: .refusedFiles).first?.values == [1])
    }

    @Test("damaged sums are moved aside, and counting continues")
    func damagedSums() throws {
        try process(requests: 5).abandon()
        #expect(try requests() == 5)
        _ = try FinishedProcess.run("truncate", ["-s", "100", path("v1-ended")])
        try process(requests: 7).abandon()
        #expect(try requests() == 7)
        #expect(try names.contains("v1-ended-damaged"))
    }

    @Test("series of other program versions are kept in the sums, and not printed with a wrong meaning")
    func otherVersions() throws {
        var totals = MetricTotals()
        totals.add(.requests, ["token", "2xx", "ok"], 3)
        // A metric of a later version, in place of one that this version has.
        try addFile("later", of: totals, replacing: "dialtone_requests{", by: "dialtone_inquests{")
        var text = String(decoding: try folder.snapshot().text(.openMetrics), as: UTF8.self)
        #expect(!text.contains("inquests"))
        #expect(readFile(path("v1-ended")).contains("dialtone_inquests{"))
        try process(requests: 1).abandon()
        text = String(decoding: try folder.snapshot().text(.openMetrics), as: UTF8.self)
        #expect(readFile(path("v1-ended")).contains("dialtone_inquests{"))
        #expect(text.contains(#"dialtone_requests_total{route="token",status="2xx",result="ok"} 1"#))
    }

    @Test("a folder that cannot be used is rejected with a reason")
    func unusableFolders() throws {
        let path = temporary.path(of: "shared")
        _ = try FinishedProcess.run("mkdir", ["-m", "777", path])
        #expect(throws: MetricsFolderError(description: "other users may write to \(path): chmod go-w \(path)")) {
            try MetricsFolder(path: path)
        }
        try temporary.write("", to: "file")
        #expect(throws: MetricsFolderError.self) { try MetricsFolder(path: temporary.path(of: "file")) }
        #expect(throws: MetricsFolderError.self) { try MetricsFolder(path: temporary.path(of: "missing/metrics")) }
    }

    @Test("a process whose folder has been removed continues to count in memory")
    func vanishedFolder() throws {
        _ = try FinishedProcess.run("rm", ["-r", folder.path])
        let registry = MetricRegistry()
        let counter = registry.counter(.requests, "token", "2xx", "ok")
        counter.add(2)
        #expect(throws: MetricsFolderError.self) {
            try registry.share(in: folder, role: "worker", version: "1.0")
        }
        counter.add(3)
        #expect(registry.contents?.records.first?.values == [5])
    }

    @Test("counting is cheap, even in a debug build")
    func cost() throws {
        let registry = try process(requests: 0)
        let counter = registry.counter(.requests, "token", "2xx", "ok")
        let histogram = registry.histogram(.requestDuration, "token")
        // This thread's CPU time, which other processes do not increase.
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        for _ in 0..<100_000 {
            counter.add()
            histogram.observe(.microseconds(800))
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        // The limit for a debug build. A release build takes about 10 ns for both.
        #expect(end.tv_sec - start.tv_sec < 10)
        #expect(try requests() == 100_000)
    }
}

extension MetricRegistry {
    fileprivate static func sharing(in folder: MetricsFolder, requests: UInt64) throws -> MetricRegistry {
        let registry = MetricRegistry()
        try registry.share(in: folder, role: "worker", version: "1.0")
        registry.counter(.requests, "token", "2xx", "ok").add(requests)
        return registry
    }
}
