internal import Glibc

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

    /// One thread for every two cores, and as much waiting as leaves half of the callers to other work.
    ///
    /// A caller is blocked until its password is hashed. If all threads that serve requests could be blocked so, a wave of
    /// passwords would leave none for sign-ins by phone. With fewer than four of them one hash runs and one waits.
    ///
    /// - Parameters:
    ///   - cores: those that this process may count on. Processes that share a machine share its cores.
    ///   - servingThreads: how many threads of this process may call.
    public init(cores: Int = Self.onlineCores, servingThreads: Int) {
        let mostBlocked = max(2, servingThreads / 2)
        threads = min(max(1, cores / 2), mostBlocked - 1)
        maximumWaiting = mostBlocked - threads
    }

    /// The machine's cores.
    public static var onlineCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
