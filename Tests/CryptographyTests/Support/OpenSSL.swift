import Processes
import TestServers

/// The `openssl` command: a second reader of what the library wrote.
enum OpenSSL {
    /// Runs a command and returns its standard output.
    /// - Throws: ``ServerFailure`` with what it reported if it failed.
    @discardableResult static func run(_ arguments: String...) throws -> String {
        let finished = try FinishedProcess.run("openssl", arguments)
        guard finished.status == .exited(0) else {
            throw ServerFailure(description: "openssl \(arguments[0]): \(finished.errors)")
        }
        return finished.output
    }
}
