import ArgumentParser
import Cryptography
import Encodings
import PhoneAuth
import RedisScripts
import Reports

/// `dialtone keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create and rotate the deployment's keys.",
        discussion: """
            rotate adds the next signing key, with --secrets the next secrets, or with --index the next index key, \
            which move-index puts in force. list shows the state of each key. retire removes signing keys whose \
            tokens have expired. Workers reload a changed key file within a second. Every machine needs the same \
            file: copy it after each change.
            """,
        subcommands: [Generate.self, Rotate.self, MoveIndex.self, List.self, Retire.self]
    )

    /// `dialtone keys generate`.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key file. All workers of a deployment need the same one; keep a copy in a safe place."
        )

        @Option(help: "The file to create. It must not exist yet.", completion: .file())
        var output: String

        @Flag(help: "Create a key that encrypts backups instead. Store it apart from them.")
        var forBackups = false

        func run() throws {
            try createPrivateFile(output, forBackups ? BackupKey.make(.system) : try NewKeys.keyFile())
            printLine("created \(output)")
        }
    }
}

extension Settings {
    /// Checks that the key file and Redis are of the same deployment before a command changes the key file. An
    /// emergency rotation must not wait for a Redis that does not respond: ``recordFileChange(_:_:)`` then prints a
    /// warning.
    /// - Throws: ``Failure`` if they are not, or if the key file lacks the index key in force: it is not current.
    func requireOwnRedisForFileChange() throws(Failure) {
        let keys = try loadKeys()
        switch try? deploymentMismatch(keys) {
        case nil, .indexKeyMoving: return
        case .indexKeyMissing(let id):
            throw Failure(
                "\(keyFile): index-\(id) is in force and not in this file: copy the deployment's current key file here"
            )
        case let mismatch?: throw foreignRedis(mismatch)
        }
    }
}

/// Records a change to the key file, the numbering data or the deployment's mark. It was made before: an emergency
/// rotation must not wait for Redis.
func recordFileChange(_ change: String, _ settings: Settings) {
    do {
        try settings.authenticator(try settings.loadKeys()).recordDeploymentChange(change)
    } catch {
        writeToStandardError("warning: the audit log lacks this change: \(error)\n")
    }
}

extension KeysCommand {
    /// `dialtone keys list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List the keys: the current and the next ones, and keys that only verify or decrypt.",
            discussion: ReportOptions.help(ListedKey.self)
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let settings = try settings.load()
            let (keys, now) = (try settings.loadKeys(), Environment.system.now())
            // Without Redis, the states of the index keys are missing below.
            try settings.requireOwnRedis(keys, needsIndexKey: false) { _ in }
            for (id, state) in keys.signingKeys.current.states(at: now) { show(id, state.explanation) }
            for (id, state) in keys.secretStates(at: now) { show("secrets-\(id)", state.explanation) }
            let ids = keys.indexKeyIDs
            do throws(StoreUnavailable) {
                let state = try settings.authenticator(keys).indexKeyState()
                for id in ids { show("index-\(id)", state.explanation(of: id, newest: ids.max())) }
                for id in [state.id, state.next].compactMap(\.self) where !ids.contains(id) {
                    show("index-\(id)", "needed, but missing from this file: copy the deployment's current file here")
                }
            } catch {
                // The states of the other keys do not depend on Redis.
                for id in ids { show("index-\(id)", "Redis did not report which key is in force: \(error)") }
            }
        }

        private func show(_ id: String, _ state: String) {
            report.print(ListedKey(id: id, state: state), ["\(id)  \(state)"])
        }
    }
}

private struct ListedKey: ReportRecord {
    let id: String
    let state: String

    static let type = "key"
    static var members: ReportMembers<Self> { ["id": { $0.id }, "state": { $0.state }] }
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
        @OptionGroup var confirmation: Confirmation

        func validate() throws {
            guard id != nil || !force else { throw ValidationError("--force: name the key to remove") }
        }

        func run() throws {
            let settings = try settings.load()
            try settings.requireOwnRedisForFileChange()
            if force { try confirmation.ask("Remove the key, although its tokens may still be valid?") }
            var removed: [String] = []
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                let retired = try Failure.wrapping(
                    KeyFile.retire(id, from: text, force: force, at: Environment.system.now())
                ) { (refusal: RetirementRefusal) in "\(settings.keyFile): \(explanation(of: refusal))" }
                removed = retired?.removed ?? []
                return retired?.text
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

/// New keys from the system's random generator.
enum NewKeys {
    /// Returns the text of a key file with one signing key.
    static func keyFile() throws -> [UInt8] {
        KeyFile.make(signingKey: try signingKey(), .system)
    }

    /// Returns an RSA-2048 key with its self-signed certificate.
    static func signingKey() throws -> NewSigningKey {
        let privateKey = try RSAPrivateKey.generate()
        return NewSigningKey(
            id: Hexadecimal.encode(SHA256.hash(try privateKey.publicKey.der()).prefix(20)),
            privateKey: try privateKey.pem(),
            certificate: try certificate(of: privateKey, .system).pem
        )
    }

    /// Returns a certificate that is valid for ten years. Verifiers use only its public key. To retire a key, its
    /// certificate is no longer published.
    private static func certificate(of key: RSAPrivateKey, _ environment: Environment) throws -> Certificate {
        let now = environment.now().seconds
        // Positive and of fixed length (RFC 5280 § 4.1.2.2).
        var serialNumber = environment.randomBytes(16)
        serialNumber[0] = serialNumber[0] & 0x3F | 0x40
        return try Certificate(
            subject: "dialtone-token-signer",
            key: .rsa(key),
            validity: now - 3600...now + 10 * 365 * 86_400,
            serialNumber: serialNumber,
            extensions: [
                Certificate.Extension("basicConstraints", "critical,CA:FALSE"),
                Certificate.Extension("keyUsage", "critical,digitalSignature"),
            ]
        )
    }
}
