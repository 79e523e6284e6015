import ArgumentParser
import Encodings
import Glibc
import PhoneAuth

/// `dialtone limits`.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show or reset the rate limits of a number, a network or a project's sign-ups.",
        subcommands: [Show.self, Reset.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print each rate limit's window: how much is used, the maximum, and when the first drops by one.",
            discussion: """
                For a number: messages and wrong codes. For a network: sign-ups, new accounts, password hashes and \
                e-mails. For a project: sign-ups. Messages per network and per app credential are not shown. The \
                messages for known clients are also for requests with the account's ID token.

                \(ReportOptions.help(RateLimitUsage.self, WrongCodes.self))
                """
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject
        @OptionGroup var report: ReportOptions

        func run() throws {
            let operation = try options.open()
            if subject.signUps {
                let windows = try operation.signUpLimits()
                report.printTitle("sign-ups of \(operation.project.id)")
                for window in windows { report.print(window, [window.line]) }
                return
            }
            if let address = subject.network {
                let windows = try operation.limits(ofNetwork: address)
                report.printTitle("network of \(address) in \(operation.project.id)")
                for window in windows { report.print(window, [window.line]) }
                return
            }
            let number = subject.number ?? ""
            let limits: NumberLimits
            do {
                limits = try operation.limits(of: number)
            } catch {
                throw Failure(error.explanation(of: number))
            }
            report.printTitle("\(limits.phone) in \(operation.project.id)")
            for sends in limits.sends {
                let isReserved = limits.hasKnownClients || sends.limit.scope != .number
                report.print(sends, [sends.line(isReserved: isReserved)])
            }
            var wrongCodes = [WrongCodes(name: "wrong codes", count: limits.wrongCodes)]
            if limits.wrongTestCodes.value > 0 {
                wrongCodes.append(WrongCodes(name: "wrong test codes", count: limits.wrongTestCodes))
            }
            for codes in wrongCodes { report.print(codes, codes.lines) }
            let ofNewClients = limits.wrongTestCodesOfNewClients
            if ofNewClients.events > 0 { report.print(ofNewClients, [ofNewClients.line]) }
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Reset the rate limits of a number, a network or a project's sign-ups, but not shared ones."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject

        func run() throws {
            let operation = try options.open()
            if subject.signUps {
                let hadAny = try operation.resetSignUps()
                let project = operation.project.id
                printLine(hadAny ? "reset the sign-ups of \(project)" : "nothing to reset for \(project)")
                return
            }
            if let address = subject.network {
                let hadAny = try operation.resetLimits(ofNetwork: address)
                let name = "the network of \(address) in \(operation.project.id)"
                printLine(hadAny ? "reset \(name)" : "nothing to reset for \(name)")
                return
            }
            let number = subject.number ?? ""
            do {
                let (phone, hadAny) = try operation.resetLimits(of: number)
                printLine(
                    hadAny
                        ? "reset \(phone) in \(operation.project.id)"
                        : "nothing to reset for \(phone) in \(operation.project.id)"
                )
            } catch {
                throw Failure(error.explanation(of: number))
            }
        }
    }
}

/// The number, the network or the sign-ups whose rate limits a command shows or resets.
struct LimitsSubject: ParsableArguments {
    @Argument(help: "A phone number in E.164 form, such as +16505550101.") var number: String?
    @Option(help: "The network of this IP address, instead of a number.") var network: String?
    @Flag(help: "The accounts that the project's clients and custom tokens created, instead of a number.")
    var signUps = false

    func validate() throws {
        guard !signUps || number == nil && network == nil else {
            throw ValidationError("use --sign-ups without a number and without --network")
        }
        guard number == nil || network == nil else { throw ValidationError("use a number or --network, not both") }
        guard signUps || number != nil || network != nil else {
            throw ValidationError("give a number, --network or --sign-ups")
        }
        guard let network else { return }
        var address = in6_addr()
        guard inet_pton(AF_INET, network, &address) == 1 || inet_pton(AF_INET6, network, &address) == 1 else {
            throw ValidationError("--network \"\(network)\": not an IP address")
        }
    }
}

extension RateLimitUsage: ReportRecord {
    static let type = "limit"
    static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "hours": { $0.limit.window.milliseconds / 3_600_000 }, "used": { $0.events },
            "maximum": { $0.limit.window.maximum }, "reserved": { $0.limit.window.reserved },
            "oneFewerAt": { $0.nextLeaves },
        ]
    }

    private var name: String { limit.event == .messages ? limit.scope.name : limit.name }

    /// A line such as `number, 1 h    5 of 5, one fewer at 2026-01-01T12:00:00Z`.
    fileprivate var line: String { line(isReserved: true) }

    fileprivate func line(isReserved: Bool) -> String {
        let window = limit.window
        return "\(name), \(window.milliseconds / 3_600_000) h".padded + "\(events) of \(window.maximum)"
            + (isReserved && window.reserved > 0 ? " (\(window.reserved) for known clients)" : "")
            + (nextLeaves.map { ", one fewer at \($0.utc)" } ?? "")
    }
}

/// A count of wrong codes.
private struct WrongCodes: ReportRecord {
    let name: String
    let count: NumberLimits.WrongCodes

    static let type = "wrong-codes"
    static var members: ReportMembers<Self> {
        [
            "name": { $0.name }, "used": { $0.count.value }, "maximum": { $0.count.maximum },
            "zeroAt": { $0.count.forgottenAt }, "clientsWaitUntil": { $0.count.clientsWaitUntil },
        ]
    }

    var lines: [String] {
        let minutes = count.halfLife.components.seconds / 60
        let period = minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
        let all =
            name.padded + "\(count.value) of \(count.maximum)"
            + (count.forgottenAt.map { ", halved every \(period), zero at \($0.utc)" } ?? "")
        return [all] + count.clientsWaitUntil.map { "".padded + "a client must wait until \($0.utc)" }
    }
}

extension NumberLimitsRefusal {
    fileprivate func explanation(of number: String) -> String {
        switch self {
        case .numberInvalid: "\"\(number)\": not a possible phone number in E.164 form"
        case .unavailable(let store): "\(store)"
        }
    }
}

extension String {
    /// The text padded to the longest name plus a gap.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 20 - count)) }
}
