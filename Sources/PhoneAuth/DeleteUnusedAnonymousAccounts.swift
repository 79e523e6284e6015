internal import Encodings
public import RedisStore

/// A step of a walk through a project's anonymous accounts.
public struct AnonymousAccountStep: Sendable {
    /// How many accounts were deleted.
    public let deleted: Int
    /// The number of the next shard; nil at the end.
    public let nextShard: Int?
}

extension Authenticator {
    /// How many shards a step looks at, and how many accounts of each it deletes at most. They bound the work for Redis.
    private static var shardsInStep: Int { 16 }
    private static var accountsOfShard: Int { 8 }

    /// Deletes accounts of some of the shards that no one uses any longer: anonymous ones whose last sign-in or token
    /// refresh was too long ago by ``Project/unusedAnonymousUsers``. Sessions that are left report the deletion.
    ///
    /// An account that was linked or used in the meantime is not deleted: the script that deletes it compares that. So
    /// any number of processes may do this at once.
    /// - Parameters:
    ///   - project: as the settings have it; what operators changed of it is read.
    ///   - first: the number of the first shard of this step.
    /// - Returns: what the step did; nil if the project keeps its anonymous accounts.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func deleteUnusedAnonymousAccounts(
        of project: Project,
        fromShard first: Int
    ) throws(StoreUnavailable) -> AnonymousAccountStep? {
        let project = try configured(project)
        guard project.unusedAnonymousUsers.areDeleted else { return nil }
        let unusedSince = environment.now().milliseconds - project.unusedAnonymousUsers.after.milliseconds
        let shards = store.shards.shards.dropFirst(first).prefix(Self.shardsInStep)
        let accounts = try store.anonymousAccounts(
            of: project.id,
            in: Array(shards),
            unusedSince: unusedSince,
            atMostOfEachShard: Self.accountsOfShard
        )
        let released = try store.deleteAnonymousAccounts(
            accounts,
            unusedSince: unusedSince,
            requestID: Base64URL.string(environment.randomBytes(16)),
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
            audit: audit(about: AuditedIdentifiers(), in: project)
        )
        for (account, identifiers) in zip(accounts, released) {
            if let identifiers { release(identifiers, of: account, in: project) }
        }
        return AnonymousAccountStep(
            deleted: released.count { $0 != nil },
            nextShard: shardOfNextAnonymousAccounts(afterStepFrom: first)
        )
    }

    /// Returns the first shard of the step after the one that begins at `first`, also if that failed; nil at the end.
    public func shardOfNextAnonymousAccounts(afterStepFrom first: Int) -> Int? {
        let next = first + Self.shardsInStep
        return next < store.shards.value ? next : nil
    }
}
