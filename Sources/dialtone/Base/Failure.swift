/// An error that ends a command, as lines that say what is wrong and where. Most failures have one line.
struct Failure: Error, CustomStringConvertible {
    let lines: [String]

    init(_ line: String) {
        self.init(lines: [line])
    }

    init(lines: [String]) {
        self.lines = lines
    }

    var description: String { lines.joined(separator: "\n") }

    /// Returns the result of an operation, or throws a failure that describes its error.
    static func wrapping<Value>(_ operation: @autoclosure () throws -> Value) throws(Failure) -> Value {
        do { return try operation() } catch { throw Failure("\(error)") }
    }

    /// Returns the result of an operation, or throws a failure that explains why it was refused.
    static func wrapping<Value, Refusal>(
        _ operation: @autoclosure () throws(Refusal) -> Value,
        _ explain: (Refusal) -> String
    ) throws(Failure) -> Value {
        do { return try operation() } catch { throw Failure(explain(error)) }
    }
}

/// The failures of independent steps, so that an operator can fix all of them in one go.
struct Failures {
    private var lines: [String] = []

    var isEmpty: Bool { lines.isEmpty }
    /// All failures in one.
    var failure: Failure { Failure(lines: lines) }

    mutating func add(_ failure: Failure) { lines += failure.lines }

    /// Returns the result of `step`; nil if it failed.
    @discardableResult
    mutating func collect<Value>(_ step: @autoclosure () throws(Failure) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            add(error)
            return nil
        }
    }
}
