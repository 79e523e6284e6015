internal import Threads

/// How much of a process the hashing of passwords may take.
public struct PasswordHashingConfiguration: Hashable, Sendable {
    /// What new hashes cost.
    public var parameters = Argon2idParameters.recommended
    /// How many passwords are hashed at once.
    public let threads: Int
    /// How many may wait for their turn.
    public let maximumWaiting: Int
    /// How long a caller waits at most, for its turn and for the hash.
    public var patience: Duration = .seconds(5)

    /// A number of threads, and as much waiting as ``BlockingBudget`` has for passwords.
    ///
    /// A caller is blocked until its password is hashed. If all threads that serve requests could be blocked so, a wave of
    /// passwords would leave none for sign-ins by phone. With fewer than ten of them one hash runs and one waits.
    ///
    /// - Parameters:
    ///   - threads: one, where there is a process for each core: together they may use them all, and each needs the memory of
    ///     one hash.
    ///   - servingThreads: how many threads of this process may call.
    public init(threads: Int = 1, servingThreads: Int) {
        let mostBlocked = BlockingBudget(servingThreads: servingThreads).passwordHashes
        self.threads = min(max(1, threads), mostBlocked - 1)
        maximumWaiting = mostBlocked - self.threads
    }

    /// The memory that all hashes of the process take together at most, in bytes.
    public var memoryBytes: Int { HashLimits.memoryBytes + (threads - 1) * LargeHashTurns.largeHashBytes }
}
