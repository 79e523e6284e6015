import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// Moves to another index key while users sign up, sign in and stay signed in.
@Suite(.serialized, .timeLimit(.minutes(30))) struct IndexKeyMoveTests {
    private static let state = "dt:{settings}:index-key"

    /// The sign-ins with each number.
    private struct Signups {
        var uids: [String: Set<String>] = [:]
        var refused = 0
    }

    /// Signs in with each of the numbers repeatedly, and once more after `isOver`.
    private func signInAll(
        _ numbers: [String],
        on server: RunningServer,
        until isOver: borrowing Atomic<Bool>
    ) throws -> Signups {
        var signups = Signups()
        var isLast = false
        let end = ContinuousClock.now + .seconds(300)
        repeat {
            isLast = isOver.load(ordering: .sequentiallyConsistent)
            for number in numbers {
                var answer: HTTPAnswer?
                // The move may end the session, or delete its code, between two requests.
                while answer?.status != 200 {
                    guard ContinuousClock.now < end else { throw ServerFailure(description: "the move has no end") }
                    answer = try attempt(number, on: server)
                    guard let refusal = answer, refusal.status != 200 else { continue }
                    try #require(refusal.status == 503, "\(refusal.text)")
                    signups.refused += 1
                    #expect(refusal.headers["retry-after"] == "5")
                    #expect(refusal.text.hasPrefix(#"{"error":{"code":503,"#))
                    usleep(20_000)
                }
                signups.uids[number, default: []].insert(answer?["localId"] ?? "")
            }
        } while !isLast
        return signups
    }

    /// Signs in, and returns nil if the session has ended.
    private func attempt(_ number: String, on server: RunningServer) throws -> HTTPAnswer? {
        let sent = try server.sendVerificationCode(number)
        guard let session = sent["sessionInfo"] else { return sent }
        guard let code = try? server.code(of: session) else { return nil }
        let answer = try server.signIn(session, code)
        if answer.status == 400 {
            #expect(answer.errorCode == "SESSION_EXPIRED", "\(answer.text)")
            return nil
        }
        return answer
    }

    /// Begins a move, and kills its process once the move has paused sign-ins.
    private func beginMove(on server: RunningServer) throws {
        let move = try ChildProcess.start(
            RunningServer.binary,
            ["keys", "move-index", "--config", server.configuration],
            output: .file(path: server.folder.path(of: "move.log")),
            errors: .file(path: server.folder.path(of: "move.log"))
        )
        #expect(eventually { server.redis.cli("GET", Self.state) == "1>2" })
        move.stop(SIGKILL)
    }

    private func moveIndex(on server: RunningServer, _ arguments: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            RunningServer.binary,
            ["keys", "move-index", "--config", server.configuration] + arguments,
            atMost: .seconds(240)
        )
    }

    @Test("users who sign up or sign in during a move have one account each, and signed-in users are not affected")
    func underLoad() throws {
        let server = try RunningServer(
            workers: 3,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "100000", "SENDS_PER_NUMBER_PER_DAY": "100000"]
        )
        let refreshToken = try #require(try server.signInFresh(fictionalNumber(90))["refreshToken"])
        let idToken = try #require(try server.signInFresh(fictionalNumber(91))["idToken"])
        let email = #"{"email":"ada@example.com","password":"correct horse"}"#
        let ada = try #require(try server.post("/v1/accounts:signUp", email)["localId"])
        #expect(try server.dialtone("keys", "rotate", "--index").output.hasPrefix("index-2  is in the file"))
        let isOver = Atomic(false)
        let signups = try inParallel(5) { thread -> Signups in
            switch thread {
            case 0:
                defer { isOver.store(true, ordering: .sequentiallyConsistent) }
                try beginMove(on: server)
                // Workers read the state once a second.
                #expect(try eventually { try server.post("/v1/accounts:signInWithPassword", email).status == 503 })
                #expect(try server.get("/readyz").status == 200)
                let command = try server.dialtone("users", "show", "ada@example.com")
                #expect(command.errors == "dialtone: the index key is being moved: try again in a few seconds\n")
                // The second move also waits for the lock of the one that was killed.
                let move = try moveIndex(on: server)
                #expect(move.isFine, "\(move.errors)")
                #expect(move.output.contains("index-2 is in force\n"))
                return Signups()
            case 1:
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    #expect(try server.refresh(refreshToken).status == 200)
                    let found = try server.post("/v1/accounts:lookup", #"{"idToken":"\#(idToken)"}"#)
                    #expect(found.status == 200)
                    usleep(50_000)
                }
                return Signups()
            default:
                // Two threads share some of their numbers.
                return try signInAll((10 * thread..<10 * thread + 15).map(fictionalNumber), on: server, until: isOver)
            }
        }
        var uids: [String: Set<String>] = [:]
        for signup in signups { uids.merge(signup.uids) { $0.union($1) } }
        #expect(uids.count == 35)
        for (number, accounts) in uids { #expect(accounts.count == 1, "\(number)") }
        #expect(signups.reduce(0) { $0 + $1.refused } > 0)
        let audit = AccountAudit(server.redis)
        #expect(audit.faults.isEmpty && audit.orphans.isEmpty, "\(audit.faults) \(audit.orphans)")
        #expect(audit.uids.count == 35 + 3)

        #expect(try server.post("/v1/accounts:signInWithPassword", email)["localId"] == ada)
        #expect(try server.post("/v1/accounts:signUp", email).errorMessage == "EMAIL_EXISTS")
        #expect(try server.dialtone("users", "show", "ada@example.com").output.contains(ada))
        let list = try server.dialtone("keys", "list").output
        #expect(list.contains("index-1  only for older recovery codes and audit events\n"))
        #expect(list.contains("index-2  in force\n"))
    }

    @Test("a worker without the key in force rejects requests with a hint, and an unused key can be dropped")
    func withoutKey() throws {
        let server = try RunningServer(workers: 1)
        let uid = try server.signInFresh(fictionalNumber(1))["localId"]
        let former = server.folder.read("keys.json")
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        #expect(try server.dialtone("keys", "drop-index", "1").errors == "dialtone: index-1 is in force\n")
        #expect(try moveIndex(on: server, "--wait-seconds", "4").isFine)
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == uid)

        for worker in server.runningWorkers { worker.stop() }
        try server.folder.write(former, to: "keys.json")
        try server.startWorker()
        #expect(try eventually { try server.sendVerificationCode(fictionalNumber(1)).status == 503 })
        let explanation =
            "index-2 is in force and not in this machine's key file: copy the deployment's current key file"
        #expect(eventually { server.log.contains(explanation) })
        #expect(try server.get("/readyz").status == 503)
        #expect(server.redis.cli("KEYS", "dt:{p*}:phone:*").split(separator: "\n").count == 1)
        #expect(try server.dialtone("users", "show", fictionalNumber(1)).errors.contains(explanation))
        #expect(try server.dialtone("keys", "list").output.contains("index-2  needed, but missing from this file"))
    }

    @Test("after a move, the former key can be dropped, and workers keep running")
    func dropped() throws {
        let server = try RunningServer(workers: 1)
        let uid = try server.signInFresh(fictionalNumber(1))["localId"]
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        #expect(try moveIndex(on: server, "--wait-seconds", "4").isFine)
        #expect(
            try server.dialtone("keys", "drop-index", "1").output == "index-1  removed: copy the file to each machine\n"
        )
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == uid)
        for worker in server.runningWorkers { worker.stop() }
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == uid)
        #expect(try !server.dialtone("keys", "list").output.contains("index-1"))
    }
}
