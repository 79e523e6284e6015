import Testing

/// C statements that change the behavior of libfcgi's functions, and the expectation that a worker then reports as
/// violated.
struct Alteration: Sendable, CustomTestStringConvertible {
    /// Statements before `FCGX_Accept_r`, after it, and before `FCGX_Free`.
    var before = "(void)0"
    var after = "(void)0"
    var free = "(void)0"
    var expectation = ""

    var testDescription: String { "\(before); \(after); \(free)" }
}
