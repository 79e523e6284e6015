import ArgumentParser

/// Parses an option whose value is one of a few words.
/// - Throws: `ValidationError` that lists the words.
func oneOf<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
        throw ValidationError("use one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
}
