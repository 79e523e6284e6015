import ArgumentParser
import Encodings
import PhoneAuth

extension KeysCommand {
    /// `dialtone keys retire`.
    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove signing keys whose tokens have all expired, or one key."
        )

        @OptionGroup var settings: SettingsOptions

        @Argument(help: "The id of the key to remove. Default: all keys that can be retired.")
        var id: String?

        @Flag(
            help: """
                Remove the key even if its tokens are still valid: they are rejected until apps get new ones, which \
                takes up to an hour.
                """
        )
        var force = false

        func validate() throws {
            guard id != nil || !force else { throw ValidationError("--force: name the key to remove") }
        }

        func run() throws {
            let settings = try settings.load()
            try settings.requireOwnRedisForFileChange()
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
            if !removed.isEmpty { recordFileChange("keys retire \(removed.joined(separator: ", "))", settings) }
            for id in removed { printLine("\(id)  removed") }
            if removed.isEmpty { printLine("no key can be retired yet") }
        }

        private func explanation(of refusal: RetirementRefusal) -> String {
            let id = id ?? ""
            return switch refusal {
            case .file(let error): "\(error)"
            case .keyUnknown: "\"\(id)\": no such signing key"
            case .keySigns: "the key \(id) is in use; add another one first: dialtone keys rotate"
            case .keyWaits(let signsFrom):
                "the key \(id) will sign from \(signsFrom.utc); --force removes it before it does"
            case .keyNeeded(let end):
                "tokens signed with the key \(id) are valid until \(end.utc); --force removes it, and they are rejected"
            }
        }
    }
}
