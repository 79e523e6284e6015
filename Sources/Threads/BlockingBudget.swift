/// How many of the threads that serve a process's requests may be held at once by what is slow. Every wait that is not
/// for Redis is declared here, so that the sum is in one place.
///
/// | the thread waits for | of n threads | of 16 |
/// |---|---|---|
/// | a password's hash | 5/16 | 5 |
/// | a blocking hook | 1/2 | 8 |
/// | a challenge's provider | 1/8 | 2 |
/// | all together | 15/16 | 15 |
///
/// The sum is smaller than n from 7 threads on: at least one thread always is free for requests that wait only for
/// Redis, whatever passwords, hooks and providers do. Fewer threads cannot be shared so, because each wait needs at
/// least one, and passwords need two.
public struct BlockingBudget: Hashable, Sendable {
    /// How many threads may wait for a password's hash, those whose password is being hashed among them.
    public let passwordHashes: Int
    /// How many may wait for blocking hooks.
    public let blockingHooks: Int
    /// How many may wait for the blocking hooks of one project.
    public let blockingHooksOfProject: Int
    /// How many may wait for third parties that verify challenges.
    public let challengeProviders: Int

    /// Divides a process's threads.
    public init(servingThreads: Int) {
        passwordHashes = max(2, servingThreads * 5 / 16)
        blockingHooks = max(1, servingThreads / 2)
        blockingHooksOfProject = max(1, servingThreads / 4)
        challengeProviders = max(1, servingThreads / 8)
    }
}
