internal import Encodings
public import RedisScripts

/// A step of the iteration over a project's anonymous accounts.
public struct AnonymousAccountStep: Sendable {
    /// The number of deleted accounts.
    public let deleted: Int
    /// The number of the next shard; nil at the end.
    public let nextShard: Int?
}

extension OperationContext {
    /// The number of shards per step, and the maximum number of deleted accounts per shard. They bound the work for
    /// Redis.
    fileprivate static var shardsInStep: Int { 16 }
    private static var accountsOfShard: Int { 8 }

    /// Deletes unused anonymous accounts of some shards: those whose last sign-in or token refresh is longer ago than
    /// ``Project/unusedAnonymousUsers`` allows. Their remaining sessions report the deletion.
    ///
    /// An account that was linked or used in the meantime is not deleted, because the script checks this. So any number
    /// of processes may run this concurrently. The operators' changes to the project are read from the store.
    /// - Parameter first: the number of the first shard of this step.
    /// - Returns: what the step did; nil if the project keeps its anonymous accounts.
    /// - Throws: ``StoreUnavailable``; retrying is safe (idempotent).
    public func deleteUnusedAnonymousAccounts(fromShard first: Int) throws(StoreUnavailable) -> AnonymousAccountStep? {
        try authenticator.checkDeployment()
        let project = try authenticator.configured(project)
        guard project.unusedAnonymousUsers.areDeleted else { return nil }
        let unusedSince = now.milliseconds - project.unusedAnonymousUsers.after.milliseconds
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
            requestID: requestID,
            markMilliseconds: AccountDeletion.markLifetime.milliseconds,
            audit: audit(about: AuditedIdentifiers())
        )
        for (account, identifiers) in zip(accounts, released) {
            if let identifiers { release(identifiers, of: account) }
        }
        return AnonymousAccountStep(
            deleted: released.count { $0 != nil },
            nextShard: authenticator.shardOfNextAnonymousAccounts(afterStepFrom: first)
        )
    }
}

extension Authenticator {
    /// Returns the first shard of the step after the one that begins at `first`, even if that step failed; nil at the
    /// end.
    public func shardOfNextAnonymousAccounts(afterStepFrom first: Int) -> Int? {
        let next = first + OperationContext.shardsInStep
        return next < store.shards.value ? next : nil
    }
}
