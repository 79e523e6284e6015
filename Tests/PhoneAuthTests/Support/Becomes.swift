import TestServers

/// Whether something becomes equal to `expected` in good time.
func becomes<Value: Equatable>(_ expected: Value, _ value: () throws -> Value) throws -> Bool {
    try eventually { try value() == expected }
}
