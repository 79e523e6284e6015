import ArgumentParser

/// `dialtone doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why something does not work.",
        subcommands: [Redis.self, APNs.self],
        defaultSubcommand: Redis.self
    )
}
