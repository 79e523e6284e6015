import ArgumentParser
import Encodings
import PhoneAuth
import RedisScripts
import Reports

/// `dialtone users`.
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Import, export and list a project's accounts; create, show, change or delete an account.",
        subcommands: [
            Import.self, Export.self, List.self, Create.self, Show.self, Change.self, Disable.self, Enable.self,
            Revoke.self, EndSession.self, Delete.self, SecondFactors.self,
        ]
    )

    /// The number of threads that work on a file, each with its own connection.
    static let threads = 4
}

/// Operators' operations on one account.
extension UsersCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an account and its sessions.",
            discussion: """
                Its phone number and e-mail address are masked, except the one that is given as the argument.

                \(ReportOptions.help(Account.self, ListedUserSession.self))
                """
        )

        @OptionGroup var user: UserOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let (operation, account) = try user.find()
            let sessions = try Failure.wrapping(operation.userSessions(uid: account.uid), \AccountRefusal.explanation)
            report.print(account, account.lines(askedFor: user.user))
            for session in sessions { report.print(session, [session.line]) }
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable an account: its user cannot sign in, and its refresh tokens are revoked."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("disabled") { change, _ in change.isDisabled = true }
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enable a disabled account: its user can sign in again."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("enabled") { change, _ in change.isDisabled = false }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign an account's user out everywhere: revoke all refresh tokens."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("signed out") { change, now in change.validSince = now.seconds }
        }
    }

    struct EndSession: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign an account's user out on one device: end one session."
        )

        @OptionGroup var user: UserOptions
        @Argument(help: "The session id, as printed by show.") var session: String

        func run() throws {
            let (operation, account) = try user.find()
            try Failure.wrapping(operation.endUserSession(session, uid: account.uid), explanation)
            printLine("\(account.uid) is signed out of session \(session)")
        }

        private func explanation(of refusal: EndUserSessionRefusal) -> String {
            switch refusal {
            case .sessionUnknown: "\"\(session)\": no such session of the account, or it has ended"
            case .accountUnknown, .notAuthenticated: "no such account"
            case .unavailable(let store): "\(store)"
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an account permanently.")

        @OptionGroup var user: UserOptions
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            let (operation, account) = try user.find()
            try confirmation.ask("Delete the account \(account.uid) permanently?")
            try Failure.wrapping(operation.deleteAccount(uid: account.uid), \AccountRefusal.explanation)
            printLine("\(account.uid) is deleted")
        }
    }
}

/// The account that a command works on.
struct UserOptions: ParsableArguments {
    @OptionGroup var options: ProjectOptions
    @Argument(help: "The account's uid, phone number in E.164 form, or e-mail address.") var user: String

    func find() throws -> (OperationContext, Account) {
        let operation = try options.open()
        let account =
            try operation.accounts(uids: [user]).first ?? operation.account(ofPhoneNumber: user)
            ?? operation.account(ofEmail: user)
        guard let account else { throw Failure("\"\(user)\": no such account in \(operation.project.id)") }
        return (operation, account)
    }

    func change(_ done: String, _ change: (inout AccountChange, Instant) -> Void) throws {
        let (operation, account) = try find()
        var wanted = AccountChange()
        change(&wanted, operation.now)
        _ = try Failure.wrapping(operation.changeAccount(uid: account.uid, wanted), \AccountRefusal.explanation)
        printLine("\(account.uid) is \(done)")
    }
}

extension UsersCommand {
    /// `dialtone users mfa`.
    struct SecondFactors: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mfa",
            abstract: "List and remove an account's second factors (MFA).",
            subcommands: [List.self, Withdraw.self]
        )

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Print an account's second factors, and the number of unused recovery codes.",
                discussion: """
                    Only the last four digits of a phone number are shown.

                    \(ReportOptions.help(SecondFactor.self, RecoveryCodes.self))
                    """
            )

            @OptionGroup var user: UserOptions
            @OptionGroup var report: ReportOptions

            func run() throws {
                let (_, account) = try user.find()
                for factor in account.secondFactors { report.print(factor, [factor.line]) }
                if account.secondFactors.isEmpty { return report.printTitle("none") }
                let codes = RecoveryCodes(left: account.recoveryCodes)
                report.print(codes, ["recovery codes left: \(codes.left)"])
            }
        }

        struct Withdraw: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Remove one or all second factors of an account, and revoke its refresh tokens.",
                discussion: """
                    For users who lost their second factor. Verify the requester's identity first. Removing the last \
                    second factor also removes the recovery codes. The user can enroll another one after the next \
                    sign-in.
                    """
            )

            @OptionGroup var user: UserOptions
            @Argument(help: "The id of the second factor, as printed by list.") var id: String?
            @Flag(help: "Remove all second factors.") var all = false

            func validate() throws {
                guard (id == nil) == all else { throw ValidationError("use a second factor's id or --all") }
            }

            func run() throws {
                let (operation, account) = try user.find()
                let withdrawn = try Failure.wrapping(
                    operation.withdrawSecondFactors(id, uid: account.uid),
                    explanation
                )
                for factor in withdrawn { printLine("\(account.uid): removed second factor \(factor.id)") }
            }

            private func explanation(of refusal: SecondFactorRefusal) -> String {
                switch refusal {
                case .factorUnknown: id.map { "\"\($0)\": no such second factor" } ?? "the account has no second factor"
                case .notAuthenticated: "no such account"
                case .failed(.unavailable(let store)): "\(store)"
                default: "refused: \(refusal)"
                }
            }
        }
    }
}

private struct RecoveryCodes: ReportRecord {
    let left: Int

    static let type = "recovery-codes"
    static var members: ReportMembers<Self> { ["left": { $0.left }] }
}
