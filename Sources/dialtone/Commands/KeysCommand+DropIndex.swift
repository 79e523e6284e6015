import ArgumentParser
import PhoneAuth
import Redis
import RedisStore

extension KeysCommand {
    /// `dialtone keys drop-index`.
    struct DropIndex: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop-index",
            abstract: "Remove an index key that is not in force from the key file.",
            discussion: """
                Without the key, dialtone audit --phone does not find events from before the move, and recovery codes \
                created before it are rejected.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @ArgumentParser.Argument(help: "The number of the index key, such as 1 for index-1.")
        var id: UInt8

        @Flag(help: "Remove it even if accounts still have recovery codes that were created under it.")
        var force = false

        func run() throws {
            var settings = try settings.load()
            settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
            let authenticator = settings.authenticator(try settings.loadKeys())
            do {
                try check(authenticator)
                try authenticator.forgetIndexKey(id)
            } catch let store as StoreUnavailable {
                throw Failure("\(store)")
            }
            try updatePrivateFile(settings.keyFile) { text throws(Failure) in
                do throws(IndexKeyChangeRefusal) {
                    return try KeyFile.dropIndexKey(id, from: text)
                } catch {
                    throw Failure("\(settings.keyFile): index-\(id): \(error.explanation)")
                }
            }
            recordFileChange("keys drop-index \(id)", settings)
            printLine("index-\(id)  removed: copy the file to each machine")
        }

        private func check(_ authenticator: Authenticator) throws {
            switch try authenticator.indexKeyState() {
            case .inForce(id): throw Failure("index-\(id) is in force")
            case .moving(let from, let to) where id == from || id == to:
                throw Failure("index-\(id): a move is in progress; dialtone keys move-index completes it")
            case .inForce, .moving: break
            }
            guard !force else { return }
            let accounts = try authenticator.accountsWithRecoveryCodes(under: id)
            guard accounts == 0 else {
                throw Failure(
                    """
                    index-\(id): \(accounts) accounts have recovery codes that were created under it; --force removes \
                    it, and these codes are then rejected
                    """
                )
            }
        }
    }
}
