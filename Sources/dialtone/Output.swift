import Glibc

/// Writes to standard error, unbuffered.
func writeToStandardError(_ text: String) {
    writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a line to standard output, unbuffered even into a pipe.
func printLine(_ text: String) {
    writeAll(Array((text + "\n").utf8), to: STDOUT_FILENO)
}
