import Synchronization
import TestServers
import Testing
import Threads

@testable import Passwords

@Suite struct PasswordHashingTests {
    private let salt = PasswordSalt { [UInt8](repeating: 9, count: $0) }

    /// Returns hashing in which one hash can run and one can wait.
    private func smallest(patience: Duration = .seconds(60)) throws -> PasswordHashing {
        var configuration = PasswordHashingConfiguration(servingThreads: 4)
        configuration.patience = patience
        configuration.parameters = try #require(Argon2idParameters(memoryKiB: 64, passes: 1, lanes: 1))
        return try PasswordHashing(configuration)
    }

    /// Keeps the one thread of `hashing` busy until the returned semaphore is signaled.
    private func occupy(_ hashing: PasswordHashing) throws -> (mayEnd: Semaphore, thread: WorkThread) {
        let begun = Semaphore()
        let mayEnd = Semaphore()
        let thread = try WorkThread(name: "occupy") {
            _ = try? hashing.run(memoryBytes: 0) {
                begun.signal()
                mayEnd.wait()
            }
        }
        begun.wait()
        return (mayEnd, thread)
    }

    @Test("a new hash verifies, also after storage, and is not due for rehashing")
    func hashAndVerify() throws {
        let hashing = try smallest()
        let stored = try hashing.hash(password("secret 1"), salt: salt)
        let again = try #require(StoredPassword(stored.text))
        #expect(try hashing.verify(password("secret 1"), against: again))
        #expect(try !hashing.verify(password("secret 2"), against: again))
        #expect(!again.needsRehash(under: hashing.parameters))
        #expect(again.needsRehash(under: .recommended))
    }

    @Test("an imported hash verifies and is upgraded")
    func upgrade() throws {
        let hashing = try smallest()
        let imported = StoredPassword("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
        #expect(try hashing.verify(password("U*U"), against: imported))
        #expect(try #require(imported).needsRehash(under: hashing.parameters))
        let raised = try hashing.hash(password("U*U"), salt: salt)
        #expect(try hashing.verify(password("U*U"), against: raised))
        #expect(!raised.needsRehash(under: hashing.parameters))
    }

    @Test("while a hash is computed, another thread may be active")
    func steppingAside() throws {
        let hashing = try smallest()
        let mayEnd = Semaphore()
        let isActive = try anotherThreadIsActive(
            during: { _ = try? hashing.run(memoryBytes: 0) { _ = mayEnd.wait(atMost: .seconds(30)) } },
            ended: { mayEnd.signal() }
        )
        #expect(isActive)
    }

    @Test("without a stored hash, no password is correct")
    func unknown() throws {
        let hashing = try smallest()
        for text in ["", "secret 1"] { #expect(try !hashing.verify(password(text), against: nil)) }
    }

    @Test("an unknown account costs as much time as a wrong password (no timing oracle)")
    func decoyCost() throws {
        let hashing = try smallest()
        let stored = try hashing.hash(password("secret 1"), salt: salt).text
        let decoy = hashing.decoy.text
        // The salt and the hash are the last parts.
        #expect(decoy.split(separator: "$").dropLast(2) == stored.split(separator: "$").dropLast(2))
        #expect(decoy.utf8.count == stored.utf8.count)
    }

    /// A stored password of each algorithm, with costs that tests can afford.
    private func stored() throws -> [StoredPassword] {
        let firebase = try #require(
            FirebaseHashParameters(
                signerKey: [UInt8](repeating: 1, count: 64),
                saltSeparator: [7],
                rounds: 8,
                memoryCost: 5
            )
        )
        let scrypt = try #require(ScryptParameters(cost: 64, blockSize: 8, parallelism: 1))
        let bytes = [UInt8](repeating: 2, count: 64)
        return [
            try smallest().hash(password("secret 1"), salt: salt),
            try #require(StoredPassword("$2a$08$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")),
            try #require(ForeignHashScheme.scrypt(scrypt).password(hash: bytes, salt: [3])),
            try #require(ForeignHashScheme.firebaseScrypt(firebase).password(hash: bytes, salt: [3])),
        ]
    }

    @Test("a decoy has the parameters of its hash, none of its secrets, and is its own decoy")
    func decoys() throws {
        let decoys = try stored().map(\.decoy)
        #expect(
            decoys.map { $0.text.prefix { $0 != "A" && $0 != "." } } == [
                "$argon2id$v=19$m=64,t=1,p=1$", "$2b$08$", "$scrypt$ln=6,r=8,p=1$", "$firebase-scrypt$ln=5,r=8,k=",
            ]
        )
        for decoy in decoys {
            #expect(StoredPassword(decoy.text)?.decoy.text == decoy.text)
            #expect(try !smallest().verify(password("secret 1"), against: decoy))
        }
    }

    @Test("whatever is stored, a verification computes the same hashes in the same order (no timing oracle)")
    func equalWork() throws {
        let hashing = try smallest()
        let stored = try stored()
        let decoys = stored.dropFirst().map(\.decoy)
        let works = ([nil] + stored).map { hashing.hashes(for: $0, among: decoys) }
        for work in works { #expect(work.map { $0.hash.decoy.text } == stored.map(\.decoy.text).sorted()) }
        #expect(works.map { $0.filter(\.isStored).map { $0.hash.text } } == [[]] + stored.map { [$0.text] })
        #expect(try hashing.verify(password("secret 1"), against: stored[0], among: decoys))
        #expect(try !hashing.verify(password("secret 2"), against: stored[0], among: decoys))
    }

    @Test("the times of unknown addresses and of those with imported hashes have the same distribution")
    func distribution() throws {
        let hashing = try smallest()
        let stored = try stored()
        let decoys = stored.dropFirst().map(\.decoy)
        var times: [[Duration]] = [[], [], []]
        // Interleaved, so that a busy machine slows down all of them.
        for _ in 0..<60 {
            for (kind, hash) in [nil, stored[0], stored[1]].enumerated() {
                let start = ContinuousClock.now
                #expect(try !hashing.verify(password("a guess"), against: hash, among: decoys))
                times[kind].append(.now - start)
            }
        }
        for known in times.dropFirst() {
            // Mann and Whitney's U: how often an unknown address takes longer. Its standard deviation is 5 % here; with
            // a decoy of one algorithm, the share is 0 or 100 %.
            let pairs = times[0].flatMap { unknown in known.map { unknown > $0 } }
            let share = Double(pairs.count { $0 }) / Double(pairs.count)
            #expect((0.2...0.8).contains(share), "\(share)")
        }
    }

    @Test("an unknown account also waits in the queue")
    func decoyWaits() throws {
        let hashing = try smallest(patience: .milliseconds(100))
        let (mayEnd, thread) = try occupy(hashing)
        #expect(throws: PasswordHashingError.late) { try hashing.verify(password("secret 1"), against: nil) }
        mayEnd.signal()
        thread.join()
    }

    @Test("of callers racing for a busy thread, one waits, and the others fail immediately")
    func busy() throws {
        let hashing = try smallest()
        let (mayEnd, thread) = try occupy(hashing)
        let refused = Atomic(0)
        let answers = try inParallel(6) { number -> Int? in
            do throws(PasswordHashingError) {
                return try hashing.run(memoryBytes: 0) { number }
            } catch {
                #expect(error == .busy)
                // The waiting caller could not return before, so the others were refused while it waited.
                if refused.add(1, ordering: .sequentiallyConsistent).newValue == 5 { mayEnd.signal() }
                return nil
            }
        }
        thread.join()
        #expect(answers.compactMap { $0 }.count == 1)
        #expect(try hashing.run(memoryBytes: 0) { true })
    }

    @Test("a caller that has waited too long leaves, and its password is not hashed")
    func late() throws {
        let hashing = try smallest(patience: .milliseconds(100))
        let (mayEnd, thread) = try occupy(hashing)
        let hasRun = Mutex(false)
        let start = ContinuousClock.now
        for _ in 0..<3 {
            #expect(throws: PasswordHashingError.late) {
                try hashing.run(memoryBytes: 0) { hasRun.withLock { $0 = true } }
            }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        mayEnd.signal()
        thread.join()
        // The thread takes jobs in order.
        #expect(eventually { (try? hashing.run(memoryBytes: 0) { true }) == true })
        #expect(!hasRun.withLock { $0 })
    }

    @Test("lack of memory is reported, and the thread continues")
    func memory() throws {
        let hashing = try smallest()
        #expect(throws: PasswordHashingError.outOfMemory) {
            try hashing.run(memoryBytes: 0) { () throws(OutOfMemory) -> Bool in throw OutOfMemory() }
        }
        #expect(try hashing.verify(password("secret 1"), against: nil) == false)
    }

    @Test("many concurrent callers each get their own result")
    func parallel() throws {
        var configuration = PasswordHashingConfiguration(threads: 2, servingThreads: 64)
        configuration.parameters = try #require(Argon2idParameters(memoryKiB: 64, passes: 1, lanes: 1))
        configuration.patience = .seconds(60)
        let hashing = try PasswordHashing(configuration)
        let stored = try (0..<16).map { try hashing.hash(password("secret \($0)"), salt: salt) }
        let answers = try inParallel(16) { number in
            try stored.indices.map { try hashing.verify(password("secret \(number)"), against: stored[$0]) }
        }
        for (number, answer) in answers.enumerated() {
            #expect(answer == stored.indices.map { $0 == number })
        }
    }

    @Test("large hashes run one at a time, beside small ones, and a failed one does not stop the next")
    func large() throws {
        var configuration = PasswordHashingConfiguration(threads: 4, servingThreads: 64)
        configuration.patience = .seconds(60)
        let hashing = try PasswordHashing(configuration)
        let running = Atomic(0)
        let results = try inParallel(8) { _ in
            try hashing.run(memoryBytes: 33 << 20) {
                let before = running.add(1, ordering: .sequentiallyConsistent).oldValue
                for _ in 0..<1000 { _ = running.load(ordering: .sequentiallyConsistent) }
                running.subtract(1, ordering: .sequentiallyConsistent)
                return before
            }
        }
        #expect(results == [Int](repeating: 0, count: 8))
        let arrivals = [Semaphore(), Semaphore(), Semaphore()]
        let met = try inParallel(3) { number in
            try hashing.run(memoryBytes: number == 0 ? 33 << 20 : 32 << 20) {
                for _ in 0..<2 { arrivals[number].signal() }
                return [1, 2].allSatisfy { arrivals[(number + $0) % 3].wait(atMost: .seconds(30)) }
            }
        }
        #expect(met == [true, true, true])
        for _ in 0..<2 {
            #expect(throws: PasswordHashingError.outOfMemory) {
                try hashing.run(memoryBytes: 33 << 20) { () throws(OutOfMemory) -> Bool in throw OutOfMemory() }
            }
        }
    }
}
