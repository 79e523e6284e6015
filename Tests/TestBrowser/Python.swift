internal import Glibc
internal import Processes
internal import TestServers

/// The Python that `make test` prepares, with the packages in `requirements.txt`.
public enum Python {
    /// Returns the interpreter's path.
    ///
    /// - Returns: the value of `TEST_PYTHON`.
    /// - Throws: ``ServerFailure`` if it is not set.
    public static func path() throws -> String {
        guard let path = getenv("TEST_PYTHON").map({ String(cString: $0) }) else {
            throw ServerFailure(description: "TEST_PYTHON is not set: run the tests with make test")
        }
        return path
    }

    /// Runs a program to its end.
    ///
    /// - Parameter arguments: `-c` and a program, or a script's path and its arguments.
    /// - Returns: the standard output.
    /// - Throws: `StartError`, or ``ServerFailure`` with the error output.
    public static func run(_ arguments: [String]) throws -> String {
        let finished = try FinishedProcess.run(try path(), arguments, atMost: .seconds(300))
        guard finished.status == .exited(0) else { throw ServerFailure(description: finished.errors) }
        return finished.output
    }
}
