import Testing

/// C statements that make libfcgi's functions do something else, and what a worker then reports as violated.
struct Alteration: Sendable, CustomTestStringConvertible {
    /// What happens before `FCGX_Accept_r`, after it, and before `FCGX_Free`.
    var before = "(void)0"
    var after = "(void)0"
    var free = "(void)0"
    var expectation = ""

    var testDescription: String { "\(before); \(after); \(free)" }
}
