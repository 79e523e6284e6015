import ArgumentParser
import Glibc

/// The question before a step that cannot be taken back.
struct Confirmation: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Do not ask on a terminal.") var isGiven = false

    /// Asks on a terminal whether to go on. Scripts are not asked.
    /// - Throws: ``Failure`` if the answer is not yes.
    func ask(_ question: String) throws(Failure) {
        guard !isGiven, isatty(STDIN_FILENO) == 1 else { return }
        writeToStandardError("\(question) [y/N] ")
        guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw Failure("nothing was changed") }
    }
}
