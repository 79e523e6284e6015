import ArgumentParser
import Encodings
import PhoneAuth
import RedisStore

/// Operators' operations on one account.
extension UsersCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what is known of an account, and its sessions.",
            discussion: "Its number and its e-mail address are masked, but for the one by which it was asked for."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            let (authenticator, project, account) = try user.find()
            let sessions: [ListedUserSession]
            do {
                sessions = try authenticator.userSessions(uid: account.uid, in: project)
            } catch {
                throw Failure(error.explanation)
            }
            for line in account.lines(askedFor: user.user) + sessions.map(\.line) { say(line) }
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let an account's user not sign in, and end the tokens that there are."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("disabled") { change, _ in change.isDisabled = true }
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let an account's user sign in again.")

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("enabled") { change, _ in change.isDisabled = false }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign an account's user out everywhere: all refresh tokens end."
        )

        @OptionGroup var user: UserOptions

        func run() throws {
            try user.change("signed out") { change, now in change.validSince = now.seconds }
        }
    }

    struct EndSession: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign an account's user out on one device: one session ends, the others go on."
        )

        @OptionGroup var user: UserOptions
        @Argument(help: "The session's id, as show prints it.") var session: String

        func run() throws {
            let (authenticator, project, account) = try user.find()
            do {
                try authenticator.endUserSession(session, uid: account.uid, in: project)
            } catch {
                throw Failure(explanation(of: error))
            }
            say("\(account.uid) is signed out of session \(session)")
        }

        private func explanation(of refusal: EndUserSessionRefusal) -> String {
            switch refusal {
            case .sessionUnknown: "\"\(session)\": the account has no such session, or it has ended"
            case .accountUnknown, .notAuthenticated: "there is no such account"
            case .unavailable(let store): "\(store)"
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an account for good.")

        @OptionGroup var user: UserOptions

        func run() throws {
            let (authenticator, project, account) = try user.find()
            let requestID = "command/" + Base64URL.string(authenticator.environment.randomBytes(12))
            do {
                try authenticator.deleteAccount(uid: account.uid, requestID: requestID, in: project)
            } catch {
                throw Failure(error.explanation)
            }
            say("\(account.uid) is deleted")
        }
    }
}

/// The account that a command works on.
struct UserOptions: ParsableArguments {
    @OptionGroup var options: ProjectOptions
    @Argument(help: "Its uid, its number in E.164 form, or its e-mail address.") var user: String

    func find() throws -> (Authenticator, Project, Account) {
        let (authenticator, project) = try options.open()
        do throws(StoreUnavailable) {
            if let account = try authenticator.accounts(uids: [user], in: project).first {
                return (authenticator, project, account)
            }
            if let account = try authenticator.account(ofPhoneNumber: user, in: project) {
                return (authenticator, project, account)
            }
            if let account = try authenticator.account(ofEmail: user, in: project) {
                return (authenticator, project, account)
            }
        } catch {
            throw Failure("\(error)")
        }
        throw Failure("\(project.id) has no such account")
    }

    func change(_ done: String, _ change: (inout AccountChange, Instant) -> Void) throws {
        let (authenticator, project, account) = try find()
        var wanted = AccountChange()
        change(&wanted, authenticator.environment.now())
        do {
            _ = try authenticator.changeAccount(uid: account.uid, wanted, in: project)
        } catch {
            throw Failure(error.explanation)
        }
        say("\(account.uid) is \(done)")
    }
}
