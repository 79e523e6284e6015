internal import Synchronization
public import Threads

/// Hashes and verifies passwords, on threads of its own.
///
/// A hash is meant to be dear: some 20 MiB and tens of milliseconds. Done by whichever thread has the request, a wave of
/// passwords would take all memory and all cores from sign-ins by phone. Here so many run at once and so many wait, and the
/// next one gets ``PasswordHashingError/busy`` at once. Known clients come first (``HashingShare``), and the
/// threads have a lower priority than those that serve requests.
///
/// One hash of more than 32 MiB runs at a time, so the hashes of a process never take more than 128 MiB and 32 MiB for each
/// further thread (``PasswordHashingConfiguration/memoryBytes``), whatever was imported.
public final class PasswordHashing: Sendable {
    /// What new hashes cost.
    public let parameters: Argon2idParameters
    let decoy: Argon2idHash
    private let patience: Duration
    private let queue: HashingQueue
    private let threads: [WorkThread]
    private let turns = LargeHashTurns()
    /// On a busy processor a thread that serves requests gets three times as much as one that hashes.
    private static let niceness: Int32 = 5

    /// Starts the threads.
    ///
    /// - Parameter configuration: how many, and how long they may keep a caller waiting.
    /// - Throws: ``ThreadError`` where the system has no room for them.
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
        decoy = Argon2idHash(decoyOf: configuration.parameters)
        patience = configuration.patience
        self.queue = queue
        self.threads = threads
    }

    deinit {
        queue.close()
        for thread in threads { thread.join() }
    }

    /// Hashes a new password, or one that ``StoredPassword/needsRehash(under:)`` asks for. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - salt: a fresh salt.
    ///   - client: for whom.
    /// - Returns: what to store.
    /// - Throws: ``PasswordHashingError``
    public func hash(
        _ password: Password,
        salt: PasswordSalt,
        for client: HashingClient = HashingClient(.known)
    ) throws(PasswordHashingError) -> StoredPassword {
        let parameters = parameters
        return try run(memoryBytes: decoy.memoryBytes, for: client) { () throws(OutOfMemory) in
            .argon2id(try Argon2idHash(password, salt, parameters))
        }
    }

    /// Verifies a password. Blocks the calling thread.
    ///
    /// Where there is no account, or one without a password, it verifies against a decoy that costs what a new hash does: the
    /// answer takes as long, so its time does not tell which e-mail addresses are known. An imported hash takes its own time
    /// until its first sign-in replaces it.
    ///
    /// - Parameters:
    ///   - password: as it was typed.
    ///   - stored: what is stored for the account; nil where nothing is.
    ///   - client: for whom.
    /// - Returns: whether it is the password; false where nothing is stored.
    /// - Throws: ``PasswordHashingError``
    public func verify(
        _ password: Password,
        against stored: StoredPassword?,
        for client: HashingClient = HashingClient(.known)
    ) throws(PasswordHashingError) -> Bool {
        let hash = stored?.hash ?? decoy
        let matches = try run(memoryBytes: hash.memoryBytes, for: client) { () throws(OutOfMemory) in
            try hash.matches(password)
        }
        return matches && stored != nil
    }

    /// Has a thread do `work` and waits for it.
    func run<Value: Sendable>(
        memoryBytes: Int,
        for client: HashingClient = HashingClient(.known),
        _ work: @escaping @Sendable () throws(OutOfMemory) -> Value
    ) throws(PasswordHashingError) -> Value {
        let outcome = Outcome<Value>()
        // The job does not hold self: a thread that let go of the last reference would wait for its own end.
        let job = HashingQueue.Job(for: client) { [turns] in
            let result = Result { () throws(OutOfMemory) in try turns.run(memoryBytes: memoryBytes, work) }
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
        // It lost its place.
        case nil: throw .busy
        }
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, OutOfMemory>?>(nil)
}
