import ArgumentParser
import Encodings
import PhoneAuth

/// `dialtone admin-tokens`.
struct AdminTokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-tokens",
        abstract: "Create, list and revoke the tokens with which your servers administer a project's accounts.",
        discussion: """
            A token belongs to one project, grants read or write access, and expires. Only its hash is stored. \
            Servers send it as "Authorization: Bearer <token>". Changes take effect at once.
            """,
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a token and print it. It is not shown again.")

        @OptionGroup var options: ProjectOptions
        @Option(help: "read: look up and list accounts; write: also change them.", transform: oneOf)
        var access = AdminAccess.read
        @Option(help: "The number of days until the token expires.") var days = 90
        @Argument(help: "The token's name, such as that of the server that uses it.") var name: String

        func validate() throws {
            let range = NewAdminToken.lifetimeDays
            guard range.contains(days) else {
                let bounds = "\(range.lowerBound) to \(range.upperBound)"
                throw ValidationError("--days \"\(days)\": not a number from \(bounds)")
            }
            guard (1...64).contains(name.unicodeScalars.count),
                !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                let reason = "a token's name has 1 to 64 characters, no control characters"
                throw ValidationError("\(name.debugDescription): \(reason)")
            }
        }

        func run() throws {
            let operation = try options.open()
            let token = try operation.createAdminToken(
                name,
                access,
                lifetime: .seconds(days * 86_400)
            )
            printLine(token.text)
            writeToStandardError("\(token.id): store the token now; it is not shown again\n")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List a project's tokens, without their secrets.",
            discussion: ReportOptions.help(AdminTokenDescription.self)
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let operation = try options.open()
            let now = operation.now
            for token in try operation.adminTokens() {
                let end = token.expiresAt <= now ? "expired" : "expires"
                let line =
                    "\(token.id)  \(token.access == .read ? "read " : "write")  created \(token.createdAt.utc)  "
                    + "\(end) \(token.expiresAt.utc)  \(token.name)"
                report.print(token, [line])
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a token at once.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The token's id, as shown by list.") var id: String

        func run() throws {
            let operation = try options.open()
            let wasRevoked = try operation.revokeAdminToken(id: id)
            guard wasRevoked else { throw Failure("\"\(id)\": \(operation.project.id) has no token with this id") }
        }
    }
}
