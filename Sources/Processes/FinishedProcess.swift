import Glibc

/// The output and exit status of a short-lived program.
public struct FinishedProcess: Sendable {
    /// The exit status.
    public let status: ExitStatus
    /// The whole standard output, with invalid UTF-8 repaired.
    public let output: String
    /// The whole standard error, with invalid UTF-8 repaired.
    public let errors: String

    /// Runs a program until it ends.
    ///
    /// - Parameters:
    ///   - executable: a path or a name, as for ``ChildProcess``.
    ///   - arguments: the arguments, without the program's own name.
    ///   - environment: the whole environment; nil for this process's environment.
    ///   - workingFolder: the working directory; nil for this process's.
    ///   - limit: the time after which the program is killed.
    /// - Returns: the output and the exit status, which is SIGKILL if the time was exceeded.
    /// - Throws: ``StartError``; a program that runs and fails does not throw.
    public static func run(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        workingFolder: String? = nil,
        atMost limit: Duration = .seconds(120)
    ) throws(StartError) -> FinishedProcess {
        // Files instead of pipes, so that a program with much output never waits for its reader.
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
