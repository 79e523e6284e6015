import ArgumentParser
import Encodings
import PhoneAuth
import RedisScripts

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
                discussion: "Only the last four digits of a phone number are shown."
            )

            @OptionGroup var user: UserOptions

            func run() throws {
                let (_, account) = try user.find()
                for factor in account.secondFactors { printLine(factor.line) }
                if account.secondFactors.isEmpty {
                    printLine("none")
                } else {
                    printLine("recovery codes left: \(account.recoveryCodes)")
                }
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
                let withdrawn: [SecondFactor]
                do {
                    withdrawn = try operation.withdrawSecondFactors(id, uid: account.uid)
                } catch {
                    throw Failure(explanation(of: error))
                }
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
