import ArgumentParser
import PhoneAuth

/// `dialtone admin-tokens`.
struct AdminTokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-tokens",
        abstract: "Make, list and revoke the tokens by which your servers administer a project's accounts.",
        discussion: """
            A token is for one project, to read or also to write, and ends by itself. Only its hash is kept. Servers send it as \
            "Authorization: Bearer <token>". What is changed here holds at once.
            """,
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a token, and print it this once.")

        @OptionGroup var options: ProjectOptions
        @Option(
            help: "read: look accounts up and list them; write: that, and change them.",
            transform: { text in
                guard let access = AdminAccess(rawValue: text) else { throw ValidationError("expected read or write") }
                return access
            }
        )
        var access = AdminAccess.read
        @Option(help: "For how many days it is good.") var days = 90
        @Argument(help: "A name for it, such as the server that is to have it.") var name: String

        func run() throws {
            guard Policy.adminTokenDays.contains(days) else {
                let days = Policy.adminTokenDays
                throw Failure("--days: expected a number from \(days.lowerBound) to \(days.upperBound)")
            }
            guard (1...64).contains(name.unicodeScalars.count),
                !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { throw Failure("a name has 1 to 64 characters") }
            let (authenticator, project) = try options.open()
            do {
                let token = try authenticator.createAdminToken(
                    name,
                    access,
                    lifetime: .seconds(days * 86_400),
                    in: project
                )
                say(token.text)
                writeToStandardError("\(token.id): keep it now, it is not shown again\n")
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List a project's tokens, without their secrets.")

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let (authenticator, project) = try options.open()
            let now = authenticator.environment.now()
            do {
                for token in try authenticator.adminTokens(of: project) {
                    let end = token.expiresAt <= now ? "expired" : "expires"
                    say(
                        "\(token.id)  \(token.access == .read ? "read " : "write")  made \(token.createdAt.utc)  "
                            + "\(end) \(token.expiresAt.utc)  \(token.name)"
                    )
                }
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a token at once.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The token's id, as list shows it.") var id: String

        func run() throws {
            let (authenticator, project) = try options.open()
            let wasRevoked: Bool
            do {
                wasRevoked = try authenticator.revokeAdminToken(id: id, of: project)
            } catch {
                throw Failure("\(error)")
            }
            guard wasRevoked else { throw Failure("\(project.id) has no token \(id)") }
        }
    }
}
