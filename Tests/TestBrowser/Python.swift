internal import Glibc
internal import Processes
internal import TestServers

/// The Python that `make test` prepares, with the packages of `requirements.txt`.
public enum Python {
    /// The interpreter's path.
    ///
    /// - Returns: what `TEST_PYTHON` names.
    /// - Throws: ``ServerFailure`` where it is not set.
    public static func path() throws -> String {
        guard let path = getenv("TEST_PYTHON").map({ String(cString: $0) }) else {
            throw ServerFailure(description: "TEST_PYTHON is not set: run the tests with make test")
        }
        return path
    }

    /// Runs a program to its end.
    ///
    /// - Parameter arguments: `-c` and a program, or a script's path and what it is called with.
    /// - Returns: what it wrote.
    /// - Throws: what it wrote about its failure, as ``ServerFailure``; `StartError`.
    public static func run(_ arguments: [String]) throws -> String {
        let finished = try FinishedProcess.run(try path(), arguments, atMost: .seconds(300))
        guard finished.status == .exited(0) else { throw ServerFailure(description: finished.errors) }
        return finished.output
    }
}
