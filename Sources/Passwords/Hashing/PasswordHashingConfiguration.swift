internal import Threads

/// The bounds of password hashing in a process.
public struct PasswordHashingConfiguration: Hashable, Sendable {
    /// The cost parameters of new hashes.
    public var parameters = Argon2idParameters.recommended
    /// The number of passwords that are hashed at a time.
    public let threads: Int
    /// The number of passwords that may wait.
    public let maximumWaiting: Int
    /// The longest time that a caller waits, in the queue and for the hash.
    public var patience: Duration = .seconds(5)

    /// Creates bounds with a number of threads, and the queue length that ``BlockingBudget`` allows for passwords.
    ///
    /// A caller is blocked until its password is hashed. If all threads that serve requests could be blocked, a flood
    /// of passwords would leave none for sign-ins by phone. With fewer than ten such threads, one hash runs and one
    /// waits.
    ///
    /// - Parameters:
    ///   - threads: 1 if there is one process per core: together, the processes may then use all cores, and each needs
    ///     the memory of one hash.
    ///   - servingThreads: the number of threads in this process that may call.
    public init(threads: Int = 1, servingThreads: Int) {
        let mostBlocked = BlockingBudget(servingThreads: servingThreads).passwordHashes
        self.threads = min(max(1, threads), mostBlocked - 1)
        maximumWaiting = mostBlocked - self.threads
    }

    /// The maximum memory of all hashes of the process together, in bytes.
    public var memoryBytes: Int { HashLimits.memoryBytes + (threads - 1) * PasswordHashing.largeHashBytes }
}
