import ArgumentParser
import PhoneAuth
import RedisScripts

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

        @Option(help: "The file to create. It must not exist yet.")
        var output: String

        func run() throws {
            try createPrivateFile(output, try NewKeys.keyFile())
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
