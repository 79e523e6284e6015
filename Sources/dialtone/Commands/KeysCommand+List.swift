import ArgumentParser
import PhoneAuth

extension KeysCommand {
    /// `dialtone keys list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the signing keys: the one that signs, the next one, those that only verify."
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let keys = try settings.load().loadKeys().signingKeys.current
            for (id, state) in keys.states(at: Environment.system.now()) { say("\(id)  \(state.explanation)") }
        }
    }
}

extension SigningKeyState {
    /// What `list` prints of a key.
    var explanation: String {
        switch self {
        case .next(let signsFrom): "next, signs from \(signsFrom.utc)"
        case .signing(nil): "signing"
        case .signing(let since?): "signing since \(since.utc)"
        case .verifying(let end): "verifying only, until \(end.utc)"
        case .retirable(let since): "may be retired since \(since.utc)"
        }
    }
}
