import ArgumentParser
import PhoneAuth

/// `dialtone push-receipts`.
struct PushReceiptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-receipts",
        abstract: "Revoke push receipts: the proofs of app verification that apps received by silent push.",
        subcommands: [Revoke.self]
    )

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one receipt, or all receipts of an app. Apps request a new one on their own.",
            discussion: "Workers reject revoked receipts within a second."
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The app's name in the settings: all its current receipts are revoked.") var app: String?
        @Option(help: "One receipt, as the app sends it.") var receipt: String?

        func validate() throws {
            guard (app == nil) != (receipt == nil) else {
                throw ValidationError("use --app or --receipt")
            }
        }

        func run() throws {
            let operation = try options.open()
            if let receipt {
                guard try operation.revokePushReceipt(receipt) else {
                    return printLine("no such receipt, or it has expired")
                }
                return printLine("revoked")
            }
            guard let app = operation.project.apps.first(where: { $0.name == app }) else {
                throw Failure("\"\(app ?? "")\": no such app in \(operation.project.id)")
            }
            try operation.revokePushReceipts(of: app)
            printLine("revoked all push receipts of \(app.name) (\(app.bundleID))")
        }
    }
}
