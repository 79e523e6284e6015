import ArgumentParser
import PhoneAuth
import RedisStore

/// `dialtone limits`.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show what the limits say of a number, or let it begin anew.",
        subcommands: [Show.self, Reset.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print each window with its value, its limit and when its oldest message leaves it.",
            discussion: "Those of networks and app credentials are not known by a number."
        )

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The number in E.164 form, such as +16505550101.") var number: String

        func run() throws {
            let (authenticator, project) = try options.open()
            let limits: NumberLimits
            do {
                limits = try authenticator.limits(of: number, in: project)
            } catch {
                throw Failure(error.explanation)
            }
            say("\(limits.phone) in \(project.id)")
            for sends in limits.sends { say(sends.line) }
            for line in limits.wrongCodes.lines("wrong codes") { say(line) }
            guard limits.wrongTestCodes.value > 0 else { return }
            for line in limits.wrongTestCodes.lines("wrong test codes") { say(line) }
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a number's messages and wrong codes. What it shares with others stays."
        )

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The number in E.164 form.") var number: String

        func run() throws {
            let (authenticator, project) = try options.open()
            do {
                let (phone, hadAny) = try authenticator.resetLimits(of: number, in: project)
                say(
                    hadAny
                        ? "reset \(phone) in \(project.id)" : "there was nothing to reset of \(phone) in \(project.id)"
                )
            } catch {
                throw Failure(error.explanation)
            }
        }
    }
}

extension NumberLimits.Sends {
    /// Such as `number, 1 h    5 of 5, the oldest until 2026-01-01T12:00:00Z`.
    fileprivate var line: String {
        "\(scope.rawValue), \(window.components.seconds / 3600) h".padded + "\(value) of \(maximum)"
            + (oldestLeaves.map { ", the oldest until \($0.utc)" } ?? "")
    }
}

extension NumberLimits.WrongCodes {
    fileprivate func lines(_ name: String) -> [String] {
        let all = name.padded + "\(value) of \(maximum)" + (forgottenAt.map { ", forgotten at \($0.utc)" } ?? "")
        return [all] + clientsWaitUntil.map { "".padded + "a client waits until \($0.utc)" }
    }
}

extension NumberLimitsRefusal {
    fileprivate var explanation: String {
        switch self {
        case .numberInvalid: "that is not a possible phone number in E.164 form"
        case .unavailable(let store): "\(store)"
        }
    }
}

extension String {
    /// As wide as the longest name and a gap.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 20 - count)) }
}
