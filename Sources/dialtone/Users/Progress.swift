import Glibc

/// Progress on standard error: on a terminal, one line that is rewritten every second; otherwise, a new line every 30
/// seconds.
struct Progress {
    private let what: String
    private let total: Int?
    private let isOnTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var lastPrinted = ContinuousClock.now
    private var hasOpenLine = false
    /// The number of records so far.
    private(set) var count = 0

    /// If the final number is known, the text also has the share and the time left.
    init(_ what: String, of total: Int? = nil) {
        self.what = what
        self.total = total
    }

    mutating func add(_ number: Int) {
        count += number
        let now = ContinuousClock.now
        guard now - lastPrinted >= (isOnTerminal ? .seconds(1) : .seconds(30)) else { return }
        lastPrinted = now
        writeToStandardError(isOnTerminal ? "\r\(text)" : "\(text)\n")
        hasOpenLine = isOnTerminal
    }

    /// Ends a line that is being rewritten, so that other output can follow.
    mutating func interrupt() {
        if hasOpenLine { writeToStandardError("\n") }
        hasOpenLine = false
    }

    /// Prints the final count.
    mutating func finish() {
        writeToStandardError(hasOpenLine ? "\r\(text)\n" : "\(text)\n")
        hasOpenLine = false
    }

    /// A text such as `120000 accounts read, 21000 a second`, or `120000 keys read, 21000 a second, 30 %, 13 s left`.
    private var text: String {
        let rate = Double(count) / max((ContinuousClock.now - start) / .seconds(1), 0.001)
        let text = "\(count) \(what), \(Int(rate)) a second"
        guard let total, count > 0, count < total else { return text }
        return text + ", \(count * 100 / total) %, \(Int(Double(total - count) / rate) + 1) s left"
    }
}
