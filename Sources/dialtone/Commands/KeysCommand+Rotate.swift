import ArgumentParser
import PhoneAuth

extension KeysCommand {
    /// `dialtone keys rotate`.
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a signing key that is published at once and signs when every verifier knows it.",
            discussion: """
                Verifiers keep the public keys for DIALTONE_PUBLIC_KEY_CACHE_SECONDS. The new key signs that time and a tenth \
                later: within the tenth the file must be on every machine.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Flag(
            help: """
                Add secrets instead: a key that seals numbers, and one under which codes and receipts are derived. They come into \
                use after an hour: until then each machine needs the file, and each dispatcher a restart.
                """
        )
        var secrets = false

        @Flag(
            help: """
                Add an index key instead. It comes into force with move-index, once each machine has the file and each \
                dispatcher was restarted.
                """
        )
        var index = false

        @Option(help: "After how many minutes the new key signs, where machines get the file later than that.")
        var afterMinutes: Int?

        @Flag(
            help: """
                Sign with the new key at once, because the old one is in wrong hands. Verifiers that keep the public keys \
                refuse its tokens until they ask for them again.
                """
        )
        var atOnce = false

        func validate() throws {
            guard !(secrets && index) else { throw ValidationError("--secrets, --index: expected only one of them") }
            guard !index || afterMinutes == nil && !atOnce else {
                throw ValidationError("--index: the key comes into force with move-index, at no fixed time")
            }
            guard afterMinutes == nil || !atOnce else { throw ValidationError("--at-once: signs after no minutes") }
            guard (0...525_600).contains(afterMinutes ?? 0) else {
                throw ValidationError("--after-minutes: expected a number from 0 to 525600")
            }
        }

        func run() throws {
            let settings = try settings.load()
            if secrets { return try rotateSecrets(of: settings) }
            if index { return try addIndexKey(to: settings) }
            let lead = try lead(settings.policy)
            // Key generation is slow, so it runs before the file is locked.
            let key = try NewKeys.signingKey()
            var signsFrom: Instant?
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                do throws(RotationRefusal) {
                    let rotated = try KeyFile.rotate(text, to: key, after: lead, at: Environment.system.now())
                    signsFrom = rotated.signsFrom
                    return rotated.text
                } catch {
                    throw Failure("\(settings.keyFile): \(error.explanation)")
                }
            }
            guard let signsFrom else { return }
            say("\(key.id)  \(atOnce ? "signs now" : "is published now and signs from \(signsFrom.utc)")")
        }

        /// Enough time to copy a file and to restart dispatchers.
        private static let secretLeadMinutes = 60

        private func rotateSecrets(of settings: Settings) throws {
            let lead = Duration.seconds((atOnce ? 0 : afterMinutes ?? Self.secretLeadMinutes) * 60)
            var line = ""
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                do throws(SecretRotationRefusal) {
                    let rotated = try KeyFile.rotateSecrets(text, after: lead, .system)
                    line = "secrets-\(rotated.id)  are used from \(rotated.usedFrom.utc)"
                    return rotated.text
                } catch {
                    throw Failure("\(settings.keyFile): \(error.explanation)")
                }
            }
            say(line)
        }

        private func addIndexKey(to settings: Settings) throws {
            var line = ""
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                do throws(IndexKeyChangeRefusal) {
                    let added = try KeyFile.addIndexKey(text, .system)
                    line = """
                        index-\(added.id)  is in the file: copy the file to each machine, restart the dispatchers, \
                        then run dialtone keys move-index
                        """
                    return added.text
                } catch {
                    throw Failure("\(settings.keyFile): \(error.explanation)")
                }
            }
            say(line)
        }

        private func lead(_ policy: Policy) throws(Failure) -> Duration {
            if atOnce { return .zero }
            let least = policy.signingKeyLead
            guard let afterMinutes else { return least }
            let lead = Duration.seconds(afterMinutes * 60)
            guard lead >= least else {
                throw Failure(
                    "--after-minutes: verifiers keep the public keys for so long that it takes \(least.wholeMinutes)"
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
        case .nextSecretsWait(let id, let usedFrom): "secrets-\(id) wait already; they are used from \(usedFrom.utc)"
        case .noFreeID: "dataKeys: all 256 ids are taken"
        }
    }
}

extension IndexKeyChangeRefusal {
    /// The reason that the commands print if they left a key file unchanged.
    var explanation: String {
        switch self {
        case .file(let error): "\(error)"
        case .noFreeID: "indexKeys: the id 255 is taken"
        case .keyUnknown: "there is no such index key"
        case .onlyKey: "it is the only index key"
        }
    }
}

extension RotationRefusal {
    fileprivate var explanation: String {
        switch self {
        case .file(let error): "\(error)"
        case .nextKeyWaits(let id, let signsFrom): "the key \(id) waits already; it signs from \(signsFrom.utc)"
        }
    }
}
