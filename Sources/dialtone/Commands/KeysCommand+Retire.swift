import ArgumentParser
import PhoneAuth

extension KeysCommand {
    /// `dialtone keys retire`.
    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the signing keys whose tokens have all expired, or one of them."
        )

        @OptionGroup var settings: SettingsOptions

        @Argument(help: "The id of the key to remove. Default: all that may be retired.")
        var id: String?

        @Flag(
            help: """
                Remove the key although its tokens are still good: the users who hold them are refused until their apps get \
                new ones, which takes up to an hour.
                """
        )
        var force = false

        func validate() throws {
            guard id != nil || !force else { throw ValidationError("--force: name the key to remove") }
        }

        func run() throws {
            let settings = try settings.load()
            var removed: [String] = []
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                do throws(RetirementRefusal) {
                    let retired = try KeyFile.retire(id, from: text, force: force, at: Environment.system.now())
                    removed = retired?.removed ?? []
                    return retired?.text
                } catch {
                    throw Failure("\(settings.keyFile): \(explanation(of: error))")
                }
            }
            for id in removed { say("\(id)  removed") }
            if removed.isEmpty { say("no key may be retired yet") }
        }

        private func explanation(of refusal: RetirementRefusal) -> String {
            let id = id ?? ""
            return switch refusal {
            case .file(let error): "\(error)"
            case .keyUnknown: "there is no signing key \(id)"
            case .keySigns: "the key \(id) signs; dialtone keys rotate makes another one"
            case .keyWaits(let signsFrom):
                "the key \(id) will sign from \(signsFrom.utc); --force removes it before it ever does"
            case .keyNeeded(let end):
                "tokens of the key \(id) are good until \(end.utc); --force removes it, and whoever holds one is refused"
            }
        }
    }
}
