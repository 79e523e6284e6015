import ArgumentParser

/// `dialtone users`.
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Move a project's accounts in and out, and look after a single one.",
        subcommands: [
            Import.self, Export.self, Show.self, Disable.self, Enable.self, Revoke.self, EndSession.self, Delete.self,
            SecondFactors.self,
        ]
    )

    /// The number of threads that work on a file, each with its own connection.
    static let threads = 4
}

/// Parses an option whose value is one of a few words.
/// - Throws: `ValidationError` that lists the words.
func oneOf<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
        throw ValidationError("expected one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
}
