import ArgumentParser
import Glibc
import PhoneAuth
import RedisStore

/// `dialtone limits`.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show how much of the limits a number, a network or a project's sign-ups have used, or reset them.",
        subcommands: [Show.self, Reset.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print each window with its value, its limit and when its oldest message leaves it.",
            discussion: """
                Of a number its messages and wrong codes; of a network its sign-ups, new accounts and password hashes; of a project its \
                sign-ups. Messages by network and by app credential are not shown.
                """
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject

        func run() throws {
            let (authenticator, project) = try options.open()
            if subject.signUps {
                say("sign-ups of \(project.id)")
                for window in try authenticator.signUpLimits(of: project) { say(window.line) }
                return
            }
            guard let number = subject.number else {
                guard let address = subject.network else {
                    throw Failure("name a number, --network or --sign-ups")
                }
                say("network of \(address) in \(project.id)")
                for window in try authenticator.limits(ofNetwork: address, in: project) { say(window.line) }
                return
            }
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
            abstract:
                "Forget a number's messages and wrong codes, or a network's or a project's sign-ups. What it shares with others stays."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject

        func run() throws {
            let (authenticator, project) = try options.open()
            if subject.signUps {
                let hadAny = try authenticator.resetSignUps(of: project)
                say(hadAny ? "reset the sign-ups of \(project.id)" : "there was nothing to reset of \(project.id)")
                return
            }
            guard let number = subject.number else {
                guard let address = subject.network else {
                    throw Failure("name a number, --network or --sign-ups")
                }
                let hadAny = try authenticator.resetLimits(ofNetwork: address, in: project)
                let name = "the network of \(address) in \(project.id)"
                say(hadAny ? "reset \(name)" : "there was nothing to reset of \(name)")
                return
            }
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

/// The number or network whose rate limits a command works on.
struct LimitsSubject: ParsableArguments {
    @Argument(help: "A number in E.164 form, such as +16505550101.") var number: String?
    @Option(help: "The network of this IP address, in place of a number.") var network: String?
    @Flag(help: "The accounts that the project's clients and custom tokens created, in place of a number.")
    var signUps = false

    func validate() throws {
        guard !signUps || number == nil && network == nil else {
            throw ValidationError("--sign-ups: expected neither a number nor --network")
        }
        guard number == nil || network == nil else { throw ValidationError("expected a number or --network, not both") }
        guard let network else { return }
        var address = in6_addr()
        guard inet_pton(AF_INET, network, &address) == 1 || inet_pton(AF_INET6, network, &address) == 1 else {
            throw ValidationError("\(network): not an IP address")
        }
    }
}

extension AdmissionWindow {
    fileprivate var line: String {
        "\(name), \(window.components.seconds / 3600) h".padded + "\(value) of \(maximum)"
            + (oldestLeaves.map { ", the oldest until \($0.utc)" } ?? "")
    }
}

extension NumberLimits.Sends {
    /// A line such as `number, 1 h    5 of 5, the oldest until 2026-01-01T12:00:00Z`.
    fileprivate var line: String {
        "\(scope.rawValue), \(window.components.seconds / 3600) h".padded + "\(value) of \(maximum)"
            + (reserved > 0 ? " (\(reserved) for known clients)" : "")
            + (oldestLeaves.map { ", the oldest until \($0.utc)" } ?? "")
    }
}

extension NumberLimits.WrongCodes {
    fileprivate func lines(_ name: String) -> [String] {
        let minutes = halfLife.components.seconds / 60
        let period = minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
        let all =
            name.padded + "\(value) of \(maximum)"
            + (forgottenAt.map { ", half of them forgotten every \(period), all at \($0.utc)" } ?? "")
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
    /// The text padded to the longest name plus a gap.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 20 - count)) }
}
