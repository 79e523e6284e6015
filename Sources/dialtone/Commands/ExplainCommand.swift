import ArgumentParser
import PhoneAuth
import RedisScripts
import Reports

/// `dialtone explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why a request for a code or a sign-in was refused, and what happened to the message.",
        discussion: """
            Decisions are kept for 24 hours, or less if many requests are refused. Phone numbers are masked.

            \(ReportOptions.help(Explanation.records))
            """
    )

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var report: ReportOptions
    @Option(help: "The project id, for a number; optional if there is only one.") var project: String?
    @ArgumentParser.Argument(
        help: """
            The reference, such as 7K3M-9QXA-2BCD: Dialtone-Reference in the response and the log. Or a phone number \
            in E.164 form, such as +16505550101, for its latest requests.
            """,
        transform: { $0.hasPrefix("+") ? .number($0) : .reference(try readReference($0)) }
    )
    var reference: Subject

    enum Subject {
        case reference(DecisionReference)
        case number(String)
    }

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        switch reference {
        case .reference(let reference):
            guard let explained = try authenticator.explanationReport(reference, settings.unsetGateways) else {
                throw Failure("\"\(reference.text)\": no decision with this reference, or it has expired")
            }
            report.print(explained)
        case .number(let number):
            try authenticator.beginWork()
            let operation = authenticator.operation(in: try settings.project(project))
            let explained = try Failure.wrapping(
                operation.explanationReport(ofNumber: number, settings.unsetGateways),
                about: number
            )
            guard !explained.parts.isEmpty else { throw Failure("\"\(number)\": no request in the last 24 hours") }
            report.print(explained)
        }
    }
}

/// Parses the reference of a decision.
/// - Throws: `ValidationError` if the text is not a reference.
func readReference(_ text: String) throws -> DecisionReference {
    guard let reference = DecisionReference(text) else {
        throw ValidationError("not a reference of 12 letters and digits, such as 7K3M-9QXA-2BCD")
    }
    return reference
}
