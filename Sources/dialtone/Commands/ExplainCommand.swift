import ArgumentParser
import Encodings
import PhoneAuth
import Reports
import RedisScripts

/// `dialtone explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain why a request for a code or a sign-in was refused, and what happened to the message.",
        discussion: """
            Decisions are kept for 24 hours, or less if many requests are refused. Phone numbers are masked.

            \(ReportOptions.help(Explanation.records))
            """
    )

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var report: ReportOptions
    @ArgumentParser.Argument(
        help: "The reference, such as 7K3M-9QXA-2BCD: Dialtone-Reference in the response and the log.",
        transform: readReference
    )
    var reference: DecisionReference

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        let explanation = try authenticator.explain(reference)
        guard let explanation else {
            throw Failure("\"\(reference.text)\": no decision with this reference, or it has expired")
        }
        report.print(
            explanation.report(
                settings.unsetGateways,
                dispatchers: try authenticator.runningDispatchers(),
                at: authenticator.environment.now()
            )
        )
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
