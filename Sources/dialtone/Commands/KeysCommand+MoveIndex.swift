import ArgumentParser
import PhoneAuth
import Redis
import RedisScripts

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
