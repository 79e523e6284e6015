internal import Glibc
public import Processes
internal import TestServers

/// A server in the form of a Python script, on a free port of 127.0.0.1, with its own folder. It stops when the value
/// is released.
public final class ScriptServer: Sendable {
    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    /// The server's folder, which has its output in `log`.
    public let folder: TemporaryFolder
    private let child: ChildProcess

    /// Starts the script, and returns when it listens.
    ///
    /// - Parameters:
    ///   - script: the file's path.
    ///   - argument: a name in the folder, whose path the script gets after the port; empty for the folder itself.
    ///   - prepare: fills the folder before the script starts.
    /// - Throws: the error of `prepare`, `StartError` or `ServerFailure`.
    public init(_ script: String, argument: String, prepare: (TemporaryFolder) throws -> Void = { _ in }) throws {
        port = FreePort.next()
        folder = try TemporaryFolder(prefix: "dialtone-pages")
        try prepare(folder)
        let path = argument.isEmpty ? folder.path : folder.path(of: argument)
        let log = folder.path(of: "log")
        child = try ChildProcess.start(
            try Python.path(),
            [script, String(port), path],
            output: .file(path: log),
            errors: .file(path: log)
        )
        guard eventually({ isListening() }) else {
            throw ServerFailure(description: "\(script) did not start: \(folder.read("log"))")
        }
    }

    deinit { stop() }

    /// Stops the script and closes connections to it.
    public func stop() { child.stop() }

    private func isListening() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
