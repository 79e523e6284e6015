import Glibc

/// What a short-lived program wrote, and how it ended.
public struct FinishedProcess: Sendable {
    /// How it ended.
    public let status: ExitStatus
    /// All of its standard output, invalid UTF-8 repaired.
    public let output: String
    /// All of its standard error, invalid UTF-8 repaired.
    public let errors: String

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - executable: a path or a name, as for ``ChildProcess``.
    ///   - arguments: without the program's own name.
    ///   - environment: the whole environment, or nil for that of this process.
    ///   - workingFolder: nil for that of this process.
    ///   - limit: how long it may run before it is killed.
    /// - Returns: what it wrote and how it ended, which is by SIGKILL if its time was over.
    /// - Throws: ``StartError``; a program that runs and fails does not throw.
    public static func run(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingFolder: String? = nil,
        atMost limit: Duration = .seconds(30)
    ) throws(StartError) -> FinishedProcess {
        // Files rather than pipes: a program that writes much never has to wait for its reader.
        let folder = try TemporaryFolder()
        let child = try ChildProcess.start(
            executable,
            arguments,
            environment: environment,
            workingFolder: workingFolder,
            output: .file(path: folder.path(of: "output")),
            errors: .file(path: folder.path(of: "errors"))
        )
        let status = child.waitForExit(atMost: limit) ?? child.stop(SIGKILL)
        return FinishedProcess(
            status: status,
            output: readAll(folder.path(of: "output")),
            errors: readAll(folder.path(of: "errors"))
        )
    }
}

private func readAll(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        if chunk.isEmpty { break }
        bytes += chunk
    }
    return String(decoding: bytes, as: UTF8.self)
}
