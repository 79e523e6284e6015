/// The limits on how many of a process's serving threads may wait for slow operations at once. Every wait is listed
/// here, except for Redis, so that the sum is in one place.
///
/// | the thread waits for | of n threads | of 16 | reason |
/// |---|---|---|---|
/// | a password hash | 5/16 | 5 | one hash runs at a time by default: more threads would only lengthen the queue |
/// | a blocking hook | 1/2 | 8 | every sign-in may wait for one; a project gets half of these |
/// | a challenge provider, or Google for Play Integrity | 1/8 | 2 | a send waits for one or two short requests |
/// | total | 15/16 | 15 | |
///
/// The totals for the whole process, threads and descriptors, are in `systemd/dialtone-worker@.service`.
///
/// From 7 threads on, the sum is smaller than n: whatever passwords, hooks and providers do, at least one thread is
/// free for requests that wait only for Redis. Fewer threads cannot be divided this way, because each kind of wait
/// needs at least one thread, and passwords need two.
public struct BlockingBudget: Hashable, Sendable {
    /// The maximum number of threads that compute or wait for a password hash.
    public let passwordHashes: Int
    /// The maximum number of threads that wait for blocking hooks.
    public let blockingHooks: Int
    /// The maximum number of threads that wait for the blocking hooks of one project.
    public let blockingHooksOfProject: Int
    /// The maximum number of threads that wait for third parties to verify challenges or tokens of Play Integrity.
    public let challengeProviders: Int

    /// Divides the serving threads of a process.
    public init(servingThreads: Int) {
        passwordHashes = max(2, servingThreads * 5 / 16)
        blockingHooks = max(1, servingThreads / 2)
        blockingHooksOfProject = max(1, servingThreads / 4)
        challengeProviders = max(1, servingThreads / 8)
    }
}
