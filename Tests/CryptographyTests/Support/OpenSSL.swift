import Processes
import TestServers

/// The `openssl` command, an independent check of the library's output.
enum OpenSSL {
    /// Runs a command and returns its standard output.
    /// - Throws: ``ServerFailure`` with the command's error output.
    @discardableResult static func run(_ arguments: String...) throws -> String {
        let finished = try FinishedProcess.run("openssl", arguments)
        guard finished.status == .exited(0) else {
            throw ServerFailure(description: "openssl \(arguments[0]): \(finished.errors)")
        }
        return finished.output
    }
}
