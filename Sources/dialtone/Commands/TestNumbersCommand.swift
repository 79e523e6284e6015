import ArgumentParser
import PhoneAuth
import PhoneNumbers
import RedisScripts
import Reports

/// `dialtone test-numbers`.
struct TestNumbersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-numbers",
        abstract: "List and change a project's test numbers. Workers apply changes within a second.",
        discussion: """
            A test number has a fixed code, which must not be easy to guess. It gets no message and needs no app \
            verification, unless the project requires it. Only the limits on wrong codes apply to it. A project can \
            have ten. A user's number cannot be one: the fixed code signs in only to accounts that were created or \
            linked with it.
            """,
        subcommands: [List.self, Set.self, Remove.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the test numbers with their codes.",
            discussion: ReportOptions.help(OperationContext.testNumberRecords)
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            report.print(try options.open().testNumbersReport())
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a test number, or change its code.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "A phone number in E.164 form, such as +16505550101.") var number: String
        @Argument(
            help: "Its six-digit code.",
            transform: { text in
                guard let code = VerificationCode(text) else { throw ValidationError("not a code of six digits") }
                return code
            }
        )
        var code: VerificationCode

        func run() throws {
            let operation = try options.open()
            try Failure.wrapping(operation.setTestNumber(number, code: code)) { (refusal: TestNumberRefusal) in
                refusal.explanation(of: number, code)
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a test number. It becomes a normal number.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The phone number in E.164 form.") var number: String

        func run() throws {
            let operation = try options.open()
            let wasRemoved = try Failure.wrapping(operation.removeTestNumber(number)) { (refusal: TestNumberRefusal) in
                refusal.explanation(of: number)
            }
            guard wasRemoved else { throw Failure("\"\(number)\": not a test number of \(operation.project.id)") }
        }
    }
}

extension TestNumberRefusal {
    fileprivate func explanation(of number: String, _ code: VerificationCode? = nil) -> String {
        switch self {
        case .numberInvalid: "\"\(number)\": not a possible phone number in E.164 form"
        case .codeWeak(let weakness):
            "\"\(code?.digits ?? "")\": easy to guess: \(weakness.rawValue); choose random digits"
        case .numberOfUser:
            "\"\(number)\": a user's account has this number; whoever knows the test code could sign in as this user"
        case .tooMany: "a project has at most \(Project.maximumTestNumbers) test numbers; remove one first"
        case .unavailable(let store): "\(store)"
        case .internalFailure: "encryption failed"
        }
    }
}
