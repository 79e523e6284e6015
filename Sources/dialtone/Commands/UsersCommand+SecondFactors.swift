import ArgumentParser
import PhoneAuth
import RedisStore

extension UsersCommand {
    /// `dialtone users mfa`.
    struct SecondFactors: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mfa",
            abstract: "List and withdraw what an account's user is asked for after the first factor.",
            subcommands: [List.self, Withdraw.self]
        )

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Print an account's second factors, and how many recovery codes are left.",
                discussion: "Of a phone's number the last four digits are shown."
            )

            @OptionGroup var user: UserOptions

            func run() throws {
                let (_, _, account) = try user.find()
                for factor in account.secondFactors { say(factor.line) }
                if account.secondFactors.isEmpty {
                    say("none")
                } else {
                    say("recovery codes left: \(account.recoveryCodes)")
                }
            }
        }

        struct Withdraw: ParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Take a second factor from an account, or all, and end the tokens that there are.",
                discussion: """
                    For users who lost theirs: be sure who asks. With the last one go the recovery codes. The user may enrol another one \
                    after the next sign-in.
                    """
            )

            @OptionGroup var user: UserOptions
            @Argument(help: "The second factor, as list prints it.") var id: String?
            @Flag(help: "Withdraw all of them.") var all = false

            func validate() throws {
                guard (id == nil) == all else { throw ValidationError("name a second factor, or say --all") }
            }

            func run() throws {
                let (authenticator, project, account) = try user.find()
                let withdrawn: [SecondFactor]
                do {
                    withdrawn = try authenticator.withdrawSecondFactors(id, uid: account.uid, in: project)
                } catch {
                    throw Failure(explanation(of: error))
                }
                for factor in withdrawn { say("\(account.uid) gave up \(factor.id)") }
            }

            private func explanation(of refusal: SecondFactorRefusal) -> String {
                switch refusal {
                case .factorUnknown: all ? "it has no second factor" : "it has no such second factor"
                case .notAuthenticated: "there is no such account"
                case .failed(.unavailable(let store)): "\(store)"
                default: "it was not done: \(refusal)"
                }
            }
        }
    }
}

extension SecondFactor {
    /// The second factor as a human-readable line.
    fileprivate var line: String {
        let (what, number): (String, String?) =
            switch kind {
            case .phone(let number): ("phone", SecondFactor.obfuscated(number))
            case .totp: ("totp", nil)
            }
        return [id, what, enrolledAt.utc, number, displayName].compactMap(\.self).joined(separator: "  ")
    }
}
