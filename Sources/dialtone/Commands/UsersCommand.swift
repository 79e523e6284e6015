import ArgumentParser

/// `dialtone users`.
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Import and export a project's accounts; show, disable, sign out or delete an account.",
        subcommands: [
            Import.self, Export.self, Show.self, Disable.self, Enable.self, Revoke.self, EndSession.self, Delete.self,
            SecondFactors.self,
        ]
    )

    /// The number of threads that work on a file, each with its own connection.
    static let threads = 4
}
