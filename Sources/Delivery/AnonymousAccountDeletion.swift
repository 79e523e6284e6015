internal import Logging
internal import PhoneAuth
internal import Threads

/// The deletion of unused anonymous accounts in projects that enable it, a few each second.
///
/// Any number of dispatchers run it concurrently: a script decides on each account atomically.
final class AnonymousAccountDeletion: Sendable {
    private let connection: AccountConnection
    private let projects: [Project]
    private let logger: Logger
    private let patience = Patience()

    init(connect: @Sendable () -> Authenticator, projects: [Project], logger: Logger) {
        connection = AccountConnection(connect: connect)
        self.projects = projects
        self.logger = logger
    }

    /// Runs until ``stop()``.
    func run() async {
        while !patience.isStopped {
            for project in projects { await deleteUnused(of: project) }
            await patience.pause(Self.pauseBetweenWalks)
        }
    }

    /// Requests a stop.
    func stop() {
        patience.stop()
    }

    /// Processes all shards once. If one shard fails, continues with the next.
    private func deleteUnused(of project: Project) async {
        var shard: Int? = 0
        var failures = 0
        while let first = shard {
            do throws(StoreUnavailable) {
                guard let step = try await connection.deleteUnused(of: project, fromShard: first) else { return }
                if step.deleted > 0 {
                    logger.info(
                        "deleted unused anonymous accounts",
                        metadata: ["project": "\(project.id)", "accounts": .stringConvertible(step.deleted)]
                    )
                }
                failures = 0
                shard = step.nextShard
                guard await patience.pause(Self.pauseBetweenSteps) else { return }
            } catch {
                failures += 1
                logger.error("the deletion of anonymous accounts failed", metadata: ["detail": "\(error)"])
                shard = await connection.nextShard(afterStepFrom: first)
                guard await patience.pause(afterFailures: failures) else { return }
            }
        }
    }

    private static let pauseBetweenSteps: Duration = .seconds(1)
    private static let pauseBetweenWalks: Duration = .seconds(10)
}

/// A connection whose calls block on Redis and run one at a time.
private actor AccountConnection {
    private let executor = BlockingExecutor(name: "anonymous-accounts")
    private let authenticator: Authenticator

    init(connect: @Sendable () -> Authenticator) {
        authenticator = connect()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func deleteUnused(of project: Project, fromShard first: Int) throws(StoreUnavailable) -> AnonymousAccountStep? {
        authenticator.setDeadline(.now + .seconds(10))
        return try authenticator.operation(in: project).deleteUnusedAnonymousAccounts(fromShard: first)
    }

    func nextShard(afterStepFrom first: Int) -> Int? {
        authenticator.shardOfNextAnonymousAccounts(afterStepFrom: first)
    }
}
