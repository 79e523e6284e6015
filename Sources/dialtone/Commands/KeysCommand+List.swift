import ArgumentParser
import PhoneAuth

extension KeysCommand {
    /// `dialtone keys list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List the signing keys and the secrets: those in use, the next ones, those that only verify or read."
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let (keys, now) = (try settings.load().loadKeys(), Environment.system.now())
            for (id, state) in keys.signingKeys.current.states(at: now) { say("\(id)  \(state.explanation)") }
            for (id, state) in keys.secretStates(at: now) { say("secrets-\(id)  \(state.explanation)") }
        }
    }
}

extension SecretKeyState {
    /// What `list` prints of secrets.
    var explanation: String {
        switch self {
        case .next(let usedFrom): "next, used from \(usedFrom.utc)"
        case .used(nil): "in use"
        case .used(let since?): "in use since \(since.utc)"
        case .reading: "for reading only"
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
