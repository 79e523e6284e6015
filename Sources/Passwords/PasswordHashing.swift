internal import Metrics
internal import Synchronization
public import Threads

/// The threads that hash and verify passwords.
///
/// A hash is expensive by design: about 20 MiB and tens of milliseconds. On the threads that serve requests, a flood of
/// passwords would take all memory and all cores from sign-ins by phone. Here, a fixed number of hashes run at a time,
/// a fixed number wait, and further requests get ``PasswordHashingError/busy`` at once (load shedding). Known clients
/// come first (``HashingShare``), and the threads have a lower priority than those that serve requests.
///
/// Hashes of more than 32 MiB run one at a time. So the hashes of a process take at most 128 MiB, plus 32 MiB for each
/// further thread (``PasswordHashingConfiguration/memoryBytes``), whatever was imported.
///
/// ```swift
/// let stored = try hashing.hash(password, salt: salt)
/// let isCorrect = try hashing.verify(typed, against: stored, for: .known)
/// ```
public final class PasswordHashing: Sendable {
    /// The cost parameters of new hashes.
    public let parameters: Argon2idParameters
    /// The decoy of new hashes (``StoredPassword/decoy``).
    public let decoy: StoredPassword
    private let patience: Duration
    private let queue: HashingQueue
    private let threads: [WorkThread]
    /// Held by a hash of more than ``largeHashBytes``. A worker has a few hundred MiB in all, and some imported hashes
    /// take 128 MiB.
    private let largeHash = LargeHash()
    static let largeHashBytes = 32 << 20
    /// On a busy CPU, a thread that serves requests gets three times as much time as a thread that hashes.
    private static let niceness: Int32 = 5

    /// Starts the threads.
    ///
    /// - Parameter configuration: the number of threads, and how long a caller may wait.
    /// - Throws: ``ThreadError`` if the system cannot start them.
    public init(_ configuration: PasswordHashingConfiguration) throws(ThreadError) {
        let queue = HashingQueue(threads: configuration.threads, maximumWaiting: configuration.maximumWaiting)
        var threads: [WorkThread] = []
        for number in 1...configuration.threads {
            do throws(ThreadError) {
                threads.append(try WorkThread(name: "password-\(number)", niceness: Self.niceness) { queue.work() })
            } catch {
                queue.close()
                for thread in threads { thread.join() }
                throw error
            }
        }
        parameters = configuration.parameters
        decoy = .argon2id(Argon2idHash(decoyOf: configuration.parameters))
        patience = configuration.patience
        self.queue = queue
        self.threads = threads
    }

    deinit {
        queue.close()
        for thread in threads { thread.join() }
    }

    /// Hashes a new password, or one whose stored hash must be replaced (``StoredPassword/needsRehash(under:)``).
    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - salt: a fresh salt.
    ///   - share: the client's priority.
    /// - Returns: the password to store.
    /// - Throws: ``PasswordHashingError``
    public func hash(
        _ password: Password,
        salt: PasswordSalt,
        for share: HashingShare = .known
    ) throws(PasswordHashingError) -> StoredPassword {
        let parameters = parameters
        return try run(memoryBytes: decoy.hash.memoryBytes, for: share) { () throws(OutOfMemory) in
            .argon2id(try Argon2idHash(password, salt, parameters))
        }
    }

    /// Verifies a password. Blocks the calling thread.
    ///
    /// Each call does the same work: it verifies against one hash of each algorithm and set of parameters in use, and
    /// all but the stored one are decoys. So the response time does not reveal which e-mail addresses have accounts, or
    /// whose password was imported and never used since (no user enumeration).
    ///
    /// - Parameters:
    ///   - password: the password as typed.
    ///   - stored: the account's stored password; nil if the account does not exist or has no password.
    ///   - decoys: the decoys of the hashes in use (``StoredPassword/decoy``), in addition to that of new hashes.
    ///   - share: the client's priority.
    /// - Returns: whether the password is correct; false if none is stored.
    /// - Throws: ``PasswordHashingError``
    public func verify(
        _ password: Password,
        against stored: StoredPassword?,
        among decoys: [StoredPassword] = [],
        for share: HashingShare = .known
    ) throws(PasswordHashingError) -> Bool {
        let hashes = hashes(for: stored, among: decoys)
        let memoryBytes = hashes.map(\.hash.memoryBytes).max() ?? 0
        return try run(memoryBytes: memoryBytes, for: share) { () throws(OutOfMemory) in
            var isCorrect = false
            for (hash, isStored) in hashes {
                let matches = try hash.matches(password)
                if isStored { isCorrect = matches }
            }
            return isCorrect
        }
    }

    /// Returns the hashes that a verification computes, in the same order for each stored password.
    func hashes(
        for stored: StoredPassword?,
        among decoys: [StoredPassword]
    ) -> [(hash: any PasswordHash, isStored: Bool)] {
        var hashes: [String: (hash: any PasswordHash, isStored: Bool)] = [decoy.text: (decoy.hash, false)]
        for decoy in decoys { hashes[decoy.text] = (decoy.hash, false) }
        if let stored { hashes[stored.decoy.text] = (stored.hash, true) }
        return hashes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Runs `work` on a hashing thread, waits for its result and counts it.
    func run<Value: Sendable>(
        memoryBytes: Int,
        for share: HashingShare = .known,
        _ work: @escaping @Sendable () throws(OutOfMemory) -> Value
    ) throws(PasswordHashingError) -> Value {
        let registry = MetricRegistry.process
        let inProgress = registry.gauge(.passwordHashesInProgress)
        inProgress.add(1)
        defer { inProgress.add(-1) }
        let start = ContinuousClock.now
        do throws(PasswordHashingError) {
            let value = try runUncounted(memoryBytes: memoryBytes, for: share, work)
            registry.histogram(.passwordHashDuration).observe(.now - start)
            MetricFamily.passwordHashes.count("done")
            return value
        } catch {
            MetricFamily.passwordHashes.count(error.word)
            throw error
        }
    }

    private func runUncounted<Value: Sendable>(
        memoryBytes: Int,
        for share: HashingShare,
        _ work: @escaping @Sendable () throws(OutOfMemory) -> Value
    ) throws(PasswordHashingError) -> Value {
        let outcome = Outcome<Value>()
        // The job does not retain self. Otherwise, a hashing thread might release the last reference and wait for its
        // own end.
        let job = HashingQueue.Job(for: share) { [largeHash] in
            let result = Result { () throws(OutOfMemory) in
                guard memoryBytes > Self.largeHashBytes else { return try work() }
                return try largeHash.turn.withLock { _ throws(OutOfMemory) in try work() }
            }
            outcome.result.withLock { $0 = result }
        }
        guard queue.add(job) else { throw .busy }
        guard ActiveThreads.stepAside(while: { job.isDone.wait(atMost: patience) }) else {
            queue.withdraw(job)
            throw .late
        }
        switch outcome.result.withLock({ $0 }) {
        case .success(let value): return value
        case .failure: throw .outOfMemory
        // Another job displaced it.
        case nil: throw .busy
        }
    }
}

private final class LargeHash: Sendable {
    let turn = Mutex(())
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, OutOfMemory>?>(nil)
}

/// Why a password was not hashed or verified. The reason never depends on the password: the same call may succeed
/// later.
public enum PasswordHashingError: Error, Hashable {
    /// The queue is full, or a job of a better known client displaced this one. Thrown at once.
    case busy
    /// The hash was not finished in time.
    case late
    /// Out of memory.
    case outOfMemory
}

extension PasswordHashingError {
    /// The error as a metric label.
    var word: String {
        switch self {
        case .busy: "busy"
        case .late: "late"
        case .outOfMemory: "out-of-memory"
        }
    }
}

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
