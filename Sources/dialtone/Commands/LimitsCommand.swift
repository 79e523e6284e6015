import ArgumentParser
import PhoneAuth
import Reports

/// `dialtone limits`.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Show or reset the rate limits of a number, a network or a project's sign-ups.",
        subcommands: [Show.self, Reset.self]
    )

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print each rate limit's window: how much is used, the maximum, and when the first drops by one.",
            discussion: """
                For a number: messages and wrong codes. For a network: sign-ups, new accounts, password hashes and \
                e-mails. For a project: sign-ups. Messages per network and per app credential are not shown. The \
                messages for known clients are also for requests with the account's ID token.

                \(ReportOptions.help(NumberLimits.records))
                """
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject
        @OptionGroup var report: ReportOptions

        func run() throws {
            let operation = try options.open()
            if subject.signUps { return report.print(try operation.signUpLimitsReport()) }
            if let address = subject.network { return report.print(try operation.limitsReport(ofNetwork: address)) }
            let number = subject.number ?? ""
            report.print(try Failure.wrapping(operation.limitsReport(of: number), about: number))
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reset the rate limits of a number, a network or a project's sign-ups, but not shared ones."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var subject: LimitsSubject

        func run() throws {
            let operation = try options.open()
            let project = operation.project.id
            let (name, hadAny): (String, Bool)
            if subject.signUps {
                (name, hadAny) = ("the sign-ups of \(project)", try operation.resetSignUps())
            } else if let address = subject.network {
                let reset = try operation.resetLimits(ofNetwork: address)
                (name, hadAny) = ("the network of \(address) in \(project)", reset)
            } else {
                let number = subject.number ?? ""
                let (phone, reset) = try Failure.wrapping(operation.resetLimits(of: number), about: number)
                (name, hadAny) = ("\(phone) in \(project)", reset)
            }
            printLine(hadAny ? "reset \(name)" : "nothing to reset for \(name)")
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
        if let network, !network.isIPAddress { throw ValidationError("--network \"\(network)\": not an IP address") }
    }
}

extension Failure {
    /// Returns the result of an operation about a number, or throws a failure that explains why it was refused.
    static func wrapping<Value>(
        _ operation: @autoclosure () throws(NumberRefusal) -> Value,
        about number: String
    ) throws(Failure) -> Value {
        try wrapping(operation()) { (refusal: NumberRefusal) in
            switch refusal {
            case .numberInvalid: "\"\(number)\": not a possible phone number in E.164 form"
            case .unavailable(let store): "\(store)"
            }
        }
    }
}
