import TestServers

/// Waits until a value equals `expected`, and returns whether it did before the timeout.
func becomes<Value: Equatable>(_ expected: Value, _ value: () throws -> Value) throws -> Bool {
    try eventually { try value() == expected }
}
