import ArgumentParser

/// `dialtone doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose Redis and push notifications.",
        subcommands: [Redis.self, APNs.self],
        defaultSubcommand: Redis.self
    )
}
