import ArgumentParser
import Encodings
import PhoneAuth
import RedisScripts

extension KeysCommand {
    /// `dialtone keys list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List the keys: the current and the next ones, and keys that only verify or decrypt."
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let (keys, now) = (try settings.loadKeys(), Environment.system.now())
            // Without Redis, the states of the index keys are missing below.
            try settings.requireOwnRedis(keys, needsIndexKey: false) { _ in }
            for (id, state) in keys.signingKeys.current.states(at: now) { printLine("\(id)  \(state.explanation)") }
            for (id, state) in keys.secretStates(at: now) { printLine("secrets-\(id)  \(state.explanation)") }
            let ids = keys.indexKeyIDs
            do throws(StoreUnavailable) {
                let state = try settings.authenticator(keys).indexKeyState()
                for id in ids { printLine("index-\(id)  \(state.explanation(of: id, newest: ids.max()))") }
                for id in [state.id, state.next].compactMap(\.self) where !ids.contains(id) {
                    printLine(
                        "index-\(id)  needed, but missing from this file: copy the deployment's current file here"
                    )
                }
            } catch {
                // The states of the other keys do not depend on Redis.
                for id in ids { printLine("index-\(id)  Redis did not report which key is in force: \(error)") }
            }
        }
    }
}

extension IndexKeyState {
    /// Returns the text that `list` prints for an index key.
    fileprivate func explanation(of id: UInt8, newest: UInt8?) -> String {
        switch id {
        case self.id: next == nil ? "in force" : "being replaced: move-index has not completed"
        case next: "coming into force: move-index has not completed"
        case newest where next == nil && id > self.id: "next: move-index puts it in force"
        default: "only for older recovery codes and audit events"
        }
    }
}

extension SecretKeyState {
    /// The text that `list` prints for secrets.
    var explanation: String {
        switch self {
        case .next(let usedFrom): "next, used from \(usedFrom.utc)"
        case .used(nil): "in use"
        case .used(let since?): "in use since \(since.utc)"
        case .reading: "decrypts only"
        }
    }
}

extension SigningKeyState {
    /// The text that `list` prints for a signing key.
    var explanation: String {
        switch self {
        case .next(let signsFrom): "next, signs from \(signsFrom.utc)"
        case .signing(nil): "signing"
        case .signing(let since?): "signing since \(since.utc)"
        case .verifying(let end): "verifies only, until \(end.utc)"
        case .retirable(let since): "can be retired since \(since.utc)"
        }
    }
}
