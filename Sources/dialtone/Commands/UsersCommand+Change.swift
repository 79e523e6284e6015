import ArgumentParser
import Encodings
import PhoneAuth
import Reports

extension UsersCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a project's accounts, a line each, in the order of their uids.",
            discussion: "Phone numbers and e-mail addresses are masked. \(ReportOptions.help(Account.self))"
        )

        @OptionGroup var options: ProjectOptions
        @Option(help: "Begin after this uid.") var after: String?
        @Option(help: "The most accounts to print. Default: all.") var limit: Int?
        @OptionGroup var report: ReportOptions

        func run() throws {
            let operation = try options.open()
            var (last, left) = (after, limit ?? .max)
            repeat {
                let page = try operation.accounts(after: last, limit: min(left, 1000))
                for account in page.accounts { report.print(account, [account.line]) }
                try requireOutput()
                left -= page.accounts.count
                last = page.last
            } while last != nil && left > 0
        }
    }

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create an account, and print its uid.")

        @OptionGroup var options: ProjectOptions
        @Option(help: "The uid. Default: a random one.") var uid: String?
        @OptionGroup var values: AccountValues

        func run() throws {
            let operation = try options.open()
            do {
                printLine(try operation.createAccount(uid: uid, values.change()).uid)
            } catch let refusal as AccountRefusal {
                throw Failure(refusal.explanation)
            }
        }
    }

    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change an account. An empty value removes what the account has."
        )

        @OptionGroup var user: UserOptions
        @OptionGroup var values: AccountValues

        func run() throws {
            let change = try values.change()
            try user.change("changed") { wanted, _ in wanted = change }
        }
    }
}

/// The values that an operator gives to an account.
struct AccountValues: ParsableArguments {
    @Option(help: "The phone number in E.164 form, such as +16505550101.") var phone: String?
    @Option(help: "The e-mail address.") var email: String?
    @Flag(inversion: .prefixedNo, help: "Whether the e-mail address is verified.") var emailVerified: Bool?
    @Option(help: "The display name.") var name: String?
    @Option(help: "The URL of the picture.") var picture: String?
    @Option(help: "The custom claims, a JSON object.") var claims: String?

    /// Returns the values as a change.
    /// - Throws: ``Failure``.
    func change() throws(Failure) -> AccountChange {
        var change = AccountChange()
        change.phoneNumber = Self.change(phone)
        change.email = Self.change(email)
        change.isEmailVerified = emailVerified
        change.displayName = Self.change(name)
        change.photoURL = Self.change(picture)
        if let claims {
            guard let parsed = try? CustomClaims(claims) else {
                throw Failure("--claims \(claims.debugDescription): not a JSON object of claims that a token may have")
            }
            change.customClaims = parsed
        }
        return change
    }

    private static func change(_ text: String?) -> AccountChange.Change {
        guard let text else { return .unchanged }
        return text.isEmpty ? .removed : .set(text)
    }
}
