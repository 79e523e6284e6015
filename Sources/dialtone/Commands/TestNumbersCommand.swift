import ArgumentParser
import PhoneAuth
import PhoneNumbers
import RedisStore

/// `dialtone test-numbers`.
struct TestNumbersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-numbers",
        abstract: "List and change a project's test numbers. Workers follow within a second.",
        discussion: """
            A test number has a fixed code. It gets no message, needs no app verification and knows no limit but that on \
            attempts. A project may have ten.
            """,
        subcommands: [List.self, Set.self, Remove.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the test numbers with their codes.")

        @OptionGroup var options: ProjectOptions

        func run() throws {
            let (authenticator, project) = try options.open()
            do {
                for (number, code) in try authenticator.testNumbers(of: project).sorted(by: { $0.key < $1.key }) {
                    say("\(number)  \(code.digits)")
                }
            } catch {
                throw Failure("\(error)")
            }
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a test number, or give it another code.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "A possible number in E.164 form, such as +16505550101.") var number: String
        @Argument(help: "Its code: six digits.") var code: String

        func run() throws {
            guard let code = VerificationCode(code) else { throw Failure("a code has six digits") }
            let (authenticator, project) = try options.open()
            do {
                try authenticator.setTestNumber(number, code: code, in: project)
            } catch {
                throw Failure(error.explanation)
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a test number an ordinary one.")

        @OptionGroup var options: ProjectOptions
        @Argument(help: "The number in E.164 form.") var number: String

        func run() throws {
            let (authenticator, project) = try options.open()
            let wasRemoved: Bool
            do {
                wasRemoved = try authenticator.removeTestNumber(number, in: project)
            } catch {
                throw Failure(error.explanation)
            }
            guard wasRemoved else { throw Failure("it is no test number of \(project.id)") }
        }
    }
}

/// The project and the deployment that a command works on.
struct ProjectOptions: ParsableArguments {
    @OptionGroup var settings: SettingsOptions
    @Option(help: "The project's id; not needed where there is only one.") var project: String?

    func open() throws -> (Authenticator, Project) {
        let settings = try settings.load()
        let project = try settings.project(project)
        var authenticator = settings.authenticator(try settings.loadKeys())
        do throws(StoreUnavailable) {
            try authenticator.beginWork()
        } catch {
            throw Failure("\(error)")
        }
        return (authenticator, project)
    }
}

extension TestNumberRefusal {
    fileprivate var explanation: String {
        switch self {
        case .numberInvalid: "that is not a possible phone number in E.164 form"
        case .tooMany: "a project has at most \(Policy.maximumTestNumbers) test numbers; remove one first"
        case .unavailable(let store): "\(store)"
        case .internalFailure: "sealing failed"
        }
    }
}
