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

    /// How many threads, each with a connection of its own, work on a file.
    static let threads = 4
}

/// The value of that name, for options that are one of a few words.
/// - Throws: `ValidationError` that says which.
func oneOf<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
        throw ValidationError("expected one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
}
