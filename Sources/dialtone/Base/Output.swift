import Glibc
import Reports
import Synchronization

/// Writes to standard error, unbuffered.
func writeToStandardError(_ text: String) {
    writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a line to standard output, unbuffered even into a pipe.
///
/// Users choose names, and apps choose uids. So characters that end lines, control terminals or change the direction of
/// text are escaped as in JSON.
func printLine(_ line: String) {
    printText(line.escapingControls)
}

/// Writes text of several lines, which no user can influence, to standard output.
func printText(_ text: String) {
    guard !writeAll(Array((text + "\n").utf8), to: STDOUT_FILENO) else { return }
    outputError.store(errno, ordering: .relaxed)
}

private let outputError = Atomic<Int32>(0)

/// Checks that standard output has everything that was printed. If its reader ended, it knows.
func requireOutput() throws(Failure) {
    let error = outputError.load(ordering: .relaxed)
    guard error == 0 else {
        throw Failure(lines: error == EPIPE ? [] : ["standard output: \(String(cString: strerror(error)))"])
    }
}
