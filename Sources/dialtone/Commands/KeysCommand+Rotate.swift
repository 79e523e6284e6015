import ArgumentParser
import Encodings
import PhoneAuth
import Redis
import RedisScripts

extension KeysCommand {
    /// `dialtone keys rotate`.
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a signing key that is published at once and signs as soon as every verifier knows it.",
            discussion: """
                Verifiers cache the public keys for DIALTONE_PUBLIC_KEY_CACHE_SECONDS. The new key signs after that \
                time plus a tenth: copy the file to every machine within that tenth.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(
            help: """
                Add secrets instead: a key that encrypts numbers, and one from which codes and receipts are derived. \
                They take effect after an hour: copy the file to each machine and restart each dispatcher before \
                that.
                """
        )
        var secrets = false

        @Flag(
            help: """
                Add an index key instead. Copy the file to each machine; then stop all workers and dispatchers and run \
                move-index, which puts the key in force.
                """
        )
        var index = false

        @Option(
            help: "The number of minutes until the new key signs, if copying the file takes longer than by default."
        )
        var afterMinutes: Int?

        @Flag(
            help: """
                Sign with the new key at once, because the old one is compromised. Verifiers reject its tokens until \
                they reload the public keys.
                """
        )
        var atOnce = false
        @OptionGroup var confirmation: Confirmation

        func validate() throws {
            guard !(secrets && index) else { throw ValidationError("use --secrets or --index, not both") }
            guard !index || afterMinutes == nil && !atOnce else {
                throw ValidationError(
                    "--index takes neither --after-minutes nor --at-once: move-index puts the key in force"
                )
            }
            guard afterMinutes == nil || !atOnce else {
                throw ValidationError("use --after-minutes or --at-once, not both")
            }
            guard (0...525_600).contains(afterMinutes ?? 0) else {
                throw ValidationError("--after-minutes \"\(afterMinutes ?? 0)\": not a number from 0 to 525600")
            }
        }

        func run() throws {
            let settings = try settings.load()
            try settings.requireOwnRedisForFileChange()
            if atOnce {
                try confirmation.ask("Use the new key at once, although other machines do not have it yet?")
            }
            if secrets { return try rotateSecrets(of: settings) }
            if index { return try addIndexKey(to: settings) }
            let lead = try lead(settings.policy)
            // Key generation is slow, so it runs before the file is locked.
            let key = try NewKeys.signingKey()
            var signsFrom: Instant?
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                let rotated = try Failure.wrapping(
                    KeyFile.rotate(text, to: key, after: lead, at: Environment.system.now())
                ) { (refusal: RotationRefusal) in "\(settings.keyFile): \(refusal.explanation)" }
                signsFrom = rotated.signsFrom
                return rotated.text
            }
            guard let signsFrom else { return }
            recordFileChange("keys rotate \(key.id), signs from \(signsFrom.utc)", settings)
            printLine("\(key.id)  \(atOnce ? "signs now" : "is published now and signs from \(signsFrom.utc)")")
        }

        /// Enough time to copy a file and to restart dispatchers.
        private static let secretLeadMinutes = 60

        private func rotateSecrets(of settings: Settings) throws {
            let lead = Duration.seconds((atOnce ? 0 : afterMinutes ?? Self.secretLeadMinutes) * 60)
            var (line, change) = ("", "")
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                let rotated = try Failure.wrapping(KeyFile.rotateSecrets(text, after: lead, .system)) {
                    (refusal: SecretRotationRefusal) in "\(settings.keyFile): \(refusal.explanation)"
                }
                change = "keys rotate --secrets \(rotated.id), used from \(rotated.usedFrom.utc)"
                line = "secrets-\(rotated.id)  are used from \(rotated.usedFrom.utc)"
                return rotated.text
            }
            recordFileChange(change, settings)
            printLine(line)
        }

        private func addIndexKey(to settings: Settings) throws {
            var (line, change) = ("", "")
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                let added = try Failure.wrapping(KeyFile.addIndexKey(text, .system)) {
                    (refusal: IndexKeyChangeRefusal) in "\(settings.keyFile): \(refusal.explanation)"
                }
                change = "keys rotate --index \(added.id)"
                line = """
                    index-\(added.id)  is in the file: copy the file to each machine, stop all workers and \
                    dispatchers, then run dialtone keys move-index
                    """
                return added.text
            }
            recordFileChange(change, settings)
            printLine(line)
        }

        private func lead(_ policy: Policy) throws(Failure) -> Duration {
            if atOnce { return .zero }
            let least = policy.signingKeyLead
            guard let afterMinutes else { return least }
            let lead = Duration.seconds(afterMinutes * 60)
            guard lead >= least else {
                throw Failure(
                    "--after-minutes \"\(afterMinutes)\": verifiers cache the public keys; "
                        + "use at least \(least.wholeMinutes)"
                )
            }
            return lead
        }
    }
}

extension Duration {
    /// The whole minutes, rounded up.
    fileprivate var wholeMinutes: Int64 { (components.seconds + 59) / 60 }
}

extension SecretRotationRefusal {
    fileprivate var explanation: String {
        switch self {
        case .file(let error): "\(error)"
        case .nextSecretsWait(let id, let usedFrom):
            "secrets-\(id) are already next; they are used from \(usedFrom.utc)"
        case .noFreeID: "dataKeys: all 256 ids are in use"
        }
    }
}

extension IndexKeyChangeRefusal {
    fileprivate var explanation: String {
        switch self {
        case .file(let error): "\(error)"
        case .noFreeID: "indexKeys: id 255, the last one, is in use"
        }
    }
}

extension RotationRefusal {
    fileprivate var explanation: String {
        switch self {
        case .file(let error): "\(error)"
        case .nextKeyWaits(let id, let signsFrom): "the key \(id) is already next; it signs from \(signsFrom.utc)"
        }
    }
}

extension KeysCommand {
    /// `dialtone keys move-index`.
    struct MoveIndex: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move-index",
            abstract:
                "Put the newest index key in force: rewrite the identifier index of all accounts with its hashes.",
            discussion: """
                First copy the key file with the new key to each machine, and stop all workers and dispatchers: the \
                command refuses to run while any of them is connected to Redis. If it fails or is killed, run it \
                again. Workers and dispatchers that are started before it has completed refuse to serve.
                """
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            var settings = try settings.load()
            // One reply arrives only after many pipelined commands.
            settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
            let authenticator = settings.authenticator(try settings.loadKeys())
            var progress = Progress("accounts moved")
            do throws(IndexKeyMoveFailure) {
                let former = try indexKeyState(authenticator)
                let id = try authenticator.moveIndexKey { count throws(IndexKeyMoveFailure) in
                    if count > progress.count { progress.add(count - progress.count) }
                }
                progress.interrupt()
                if former == IndexKeyState(id: id) {
                    printLine("index-\(id) is already in force: dialtone keys rotate --index adds the next index key")
                } else {
                    printLine("index-\(id) is in force: start the workers and dispatchers")
                }
            } catch {
                progress.interrupt()
                throw Failure(error.explanation)
            }
            recordFileChange("keys move-index", settings)
        }

        private func indexKeyState(
            _ authenticator: Authenticator
        ) throws(IndexKeyMoveFailure) -> IndexKeyState {
            do { return try authenticator.indexKeyState() } catch { throw .unavailable(error) }
        }
    }
}

extension IndexKeyMoveFailure {
    fileprivate var explanation: String {
        switch self {
        case .notAlone(let addresses):
            """
            \(addresses.joined(separator: ", ")): other processes of Dialtone are connected to Redis; stop all \
            workers, dispatchers and commands first
            """
        case .keyMissing(let id): "index-\(id) is missing from the key file: copy the deployment's current file here"
        case .redisReplaced: "Redis was restarted or replaced during the move: run the command again"
        case .accountUnreadable(let project, let uid):
            "account \(uid) of \(project): the data keys of the key file cannot decrypt it"
        case .claimDiffers: "an identifier already belongs to another account under the new key"
        case .unavailable(let store): "\(store); once this is resolved, run the command again"
        }
    }
}
