import ArgumentParser
import Glibc
import PhoneAuth
import Redis
import RedisStore

extension KeysCommand {
    /// `dialtone keys move-index`.
    struct MoveIndex: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move-index",
            abstract:
                "Put the newest index key in force: rewrite the identifier index of all accounts with its hashes.",
            discussion: """
                During the move, workers respond with 503 and Retry-After to every request that needs a number or an \
                e-mail address; signed-in users are not affected. Verification codes sent before the move stop \
                working. First copy the key file with the new key to each machine, and restart each dispatcher. If \
                the command fails or is killed, run it again; --to with the former key undoes an incomplete move.
                """
        )

        @OptionGroup var settings: SettingsOptions

        @Option(help: "The number of the index key to put in force, such as 2 for index-2. Default: the newest one.")
        var to: UInt8?

        @Option(
            help: """
                The number of seconds to wait for requests that started before the pause. Default: the longest time \
                that these settings allow for a request; the settings of other machines may allow more.
                """
        )
        var waitSeconds: Int?

        func validate() throws {
            guard (0...3600).contains(waitSeconds ?? 0) else {
                throw ValidationError("--wait-seconds \"\(waitSeconds ?? 0)\": not a number from 0 to 3600")
            }
        }

        func run() throws {
            var settings = try settings.load()
            // One reply arrives only after many pipelined commands.
            settings.redis.commandTimeout = max(settings.redis.commandTimeout, .seconds(30))
            let authenticator = settings.authenticator(try settings.loadKeys())
            let longestWork = max(settings.requestDeadline + BlockingHooks.deadline, IndexKeyMove.longestCommand)
            let work = longestWork + OperationContext.cleanupTime
            let pause = waitSeconds.map { Duration.seconds($0) } ?? IndexKeyMove.pause(forWorkOf: work)
            do throws(StoreUnavailable) {
                try authenticator.recordDeploymentChange("keys move-index\(to.map { " --to \($0)" } ?? "")")
            } catch {
                throw Failure("\(error)")
            }
            var move = authenticator.moveIndexKey(to: to, pause: pause)
            defer { move.release() }
            var progress = Progress("accounts moved")
            do throws(IndexKeyMoveFailure) {
                var next = try Self.firstStep(of: &move)
                while let step = next {
                    if case .moved(let accounts) = step {
                        progress.add(accounts - progress.count)
                    } else {
                        progress.interrupt()
                        if let line = step.line(pause) { printLine(line) }
                    }
                    next = try move.next()
                }
            } catch {
                progress.interrupt()
                throw Failure(error.explanation(authenticator))
            }
        }

        /// Retries while the lock is held: after a process is killed, its lock remains for a while.
        private static func firstStep(of move: inout IndexKeyMove) throws(IndexKeyMoveFailure) -> IndexKeyMoveStep? {
            let end = ContinuousClock.now + .seconds(20)
            while true {
                do throws(IndexKeyMoveFailure) {
                    return try move.next()
                } catch {
                    guard error == .busy, ContinuousClock.now < end else { throw error }
                    sleep(1)
                }
            }
        }
    }
}

extension IndexKeyMoveStep {
    /// Returns the line that the command prints for a step.
    fileprivate func line(_ pause: Duration) -> String? {
        switch self {
        case .checked(let accounts): "checked \(accounts) accounts"
        case .paused(let from, let to):
            (from == to ? "going back to index-\(to)" : "moving from index-\(from) to index-\(to)")
                + ": sign-ins are paused for at least \(pause.components.seconds) s"
        case .inForce(let id): "index-\(id) is in force"
        case .removedFormer: "removed the entries of other keys"
        case .removedLeftovers, .waited, .endedSessions, .moved, .movedSettings: nil
        }
    }
}

extension IndexKeyMoveFailure {
    fileprivate func explanation(_ authenticator: Authenticator) -> String {
        let goOn =
            isMoving(authenticator)
            ? "; sign-ins are paused: run the command again, or undo the move with --to the former key" : ""
        return switch self {
        case .keyUnknown(let id): "the key file has no index-\(id)\(goOn)"
        case .formerKeyMissing(let id):
            "accounts are indexed under index-\(id), which is missing from the key file\(goOn)"
        case .otherMove(let from, let to):
            "a move from index-\(from) to index-\(to) is in progress: --to \(to) finishes it, --to \(from) undoes it"
        case .busy: "another dialtone keys move-index is running"
        case .overtaken: "the state of the index keys, or Redis itself, changed during the move\(goOn)"
        case .accountUnreadable(let project, let uid):
            "account \(uid) of \(project): the data keys of the key file cannot decrypt it\(goOn)"
        case .claimDiffers: "an identifier already belongs to another account under the new key\(goOn)"
        case .unavailable(let store): "\(store)\(goOn)"
        }
    }

    private func isMoving(_ authenticator: Authenticator) -> Bool {
        guard case .moving = try? authenticator.indexKeyState() else { return false }
        return true
    }
}
