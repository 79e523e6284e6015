import Glibc

/// Writes to standard error at once.
func writeToStandardError(_ text: String) {
    writeAll(Array(text.utf8), to: STDERR_FILENO)
}

/// Writes a text to standard output at once, also into a pipe.
func say(_ text: String) {
    writeAll(Array((text + "\n").utf8), to: STDOUT_FILENO)
}
