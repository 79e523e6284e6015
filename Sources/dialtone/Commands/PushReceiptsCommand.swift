import ArgumentParser
import PhoneAuth
import RedisStore

/// `dialtone push-receipts`.
struct PushReceiptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-receipts",
        abstract: "End the proofs that apps got by silent push.",
        subcommands: [Revoke.self]
    )

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke one receipt, or all of an app. Apps get a new one by themselves.",
            discussion: "Workers follow within a second."
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "The app's name in the settings: all its receipts until now are revoked.") var app: String?
        @Option(help: "One receipt, as the app sends it.") var receipt: String?

        func validate() throws {
            guard (app == nil) != (receipt == nil) else {
                throw ValidationError("expected either --app or --receipt")
            }
        }

        func run() throws {
            let (authenticator, project) = try options.open()
            do throws(StoreUnavailable) {
                if let receipt {
                    guard try authenticator.revokePushReceipt(receipt) else { return say("there is no such receipt") }
                    return say("revoked")
                }
            } catch {
                throw Failure("\(error)")
            }
            guard let app = project.apps.first(where: { $0.name == app }) else {
                throw Failure("there is no app \(app ?? "") in \(project.id)")
            }
            do {
                try authenticator.revokePushReceipts(of: app, in: project)
            } catch {
                throw Failure("\(error)")
            }
            say("revoked all push receipts of \(app.name) (\(app.bundleID))")
        }
    }
}
