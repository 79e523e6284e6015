import ArgumentParser

/// `dialtone keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make the deployment's keys, and rotate them.",
        discussion: """
            rotate makes the next signing key, or with --secrets the next secrets, or with --index the next index key, \
            which move-index puts in force; list shows what each key does, retire removes signing keys whose tokens \
            have expired, drop-index an index key that nothing needs. Workers follow a changed key file \
            within a second. Every machine needs the same file: copy it after each change.
            """,
        subcommands: [Generate.self, Rotate.self, MoveIndex.self, List.self, Retire.self, DropIndex.self]
    )

    /// `dialtone keys generate`.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a new key file. All workers of a deployment need the same one; keep a copy in a safe place."
        )

        @Option(help: "The file to make. It must not exist yet.")
        var output: String

        func run() throws {
            try createPrivateFile(output, try NewKeys.keyFile())
            say("made \(output)")
        }
    }
}
