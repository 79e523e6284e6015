import ArgumentParser
import Encodings
import PhoneAuth
import RedisScripts

/// Operators' operations on one account.
extension UsersCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an account and its sessions.",
            discussion: "Its phone number and e-mail address are masked, except the one that is given as the argument."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            let (operation, account) = try user.find()
            let sessions: [ListedUserSession]
            do {
                sessions = try operation.userSessions(uid: account.uid)
            } catch {
                throw Failure(error.explanation)
            }
            for line in account.lines(askedFor: user.user) + sessions.map(\.line) { printLine(line) }
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
            do {
                try operation.endUserSession(session, uid: account.uid)
            } catch {
                throw Failure(explanation(of: error))
            }
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

        func run() throws {
            let (operation, account) = try user.find()
            do {
                try operation.deleteAccount(uid: account.uid)
            } catch {
                throw Failure(error.explanation)
            }
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
        do throws(StoreUnavailable) {
            if let account = try operation.accounts(uids: [user]).first {
                return (operation, account)
            }
            if let account = try operation.account(ofPhoneNumber: user) {
                return (operation, account)
            }
            if let account = try operation.account(ofEmail: user) {
                return (operation, account)
            }
        } catch {
            throw Failure("\(error)")
        }
        throw Failure("\"\(user)\": no such account in \(operation.project.id)")
    }

    func change(_ done: String, _ change: (inout AccountChange, Instant) -> Void) throws {
        let (operation, account) = try find()
        var wanted = AccountChange()
        change(&wanted, operation.now)
        do {
            _ = try operation.changeAccount(uid: account.uid, wanted)
        } catch {
            throw Failure(error.explanation)
        }
        printLine("\(account.uid) is \(done)")
    }
}
