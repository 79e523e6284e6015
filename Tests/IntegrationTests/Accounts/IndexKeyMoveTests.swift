import Processes
import TestServers
import Testing

/// Moves to another index key with the command, while workers and dispatchers are stopped.
@Suite struct IndexKeyMoveTests {
    private func state(of server: RunningServer) -> String {
        server.redis.cli("HGET", "dt:{/}:deployment", "index-key")
    }

    @Test("a move refuses to start while a worker or a dispatcher runs, and afterwards everyone has the same account")
    func move() throws {
        let server = try RunningServer(workers: 2)
        let dispatcher = try server.startDispatcher()
        let user = try server.signInFresh(fictionalNumber(1))
        let email = #"{"email":"ada@example.com","password":"correct horse"}"#
        let ada = try #require(try server.post("/v1/accounts:signUp", email)["localId"])
        #expect(try server.dialtone("keys", "rotate", "--index").output.hasPrefix("index-2  is in the file"))
        #expect(eventually { server.redis.cli("CLIENT", "LIST").split(separator: "name=dialtone-").count > 3 })

        let refusal = ": other processes of Dialtone are connected to Redis; stop all workers, dispatchers and commands"
        #expect(try server.dialtone("keys", "move-index").errors.contains(refusal))
        for worker in server.runningWorkers { worker.stop() }
        #expect(try server.dialtone("keys", "move-index").errors.contains(refusal))
        #expect(state(of: server) == "")
        dispatcher.stop()
        let moved = try server.dialtone("keys", "move-index")
        #expect(moved.output == "index-2 is in force: start the workers and dispatchers\n", "\(moved.errors)")
        #expect(state(of: server) == "2")
        #expect(try server.dialtone("keys", "move-index").output.hasPrefix("index-2 is already in force: "))

        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        let again = try server.signInFresh(fictionalNumber(1))
        #expect(again["localId"] == user["localId"])
        #expect(try server.post("/v1/accounts:signInWithPassword", email)["localId"] == ada)
        #expect(try server.post("/v1/accounts:signUp", email).errorMessage == "EMAIL_EXISTS")
        #expect(try server.refresh(#require(user["refreshToken"])).status == 200)
        #expect(try server.dialtone("users", "show", "ada@example.com").output.contains(ada))
        let audit = AccountAudit(server.redis)
        #expect(audit.faults.isEmpty && audit.orphans.isEmpty, "\(audit.faults) \(audit.orphans)")
        let list = try server.dialtone("keys", "list").output
        #expect(list.contains("index-1  only for older recovery codes and audit events\n"))
        #expect(list.contains("index-2  in force\n"))
    }

    @Test("until a move that was interrupted has completed, no worker serves and no command changes an account")
    func interrupted() throws {
        let server = try RunningServer(workers: 1)
        let uid = try server.signInFresh(fictionalNumber(1))["localId"]
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        for worker in server.runningWorkers { worker.stop() }
        server.redis.cli("HSET", "dt:{/}:deployment", "index-key", "1>2")
        try server.startWorker()
        let explanation = "is being moved from index-1 to index-2: run dialtone keys move-index until it has completed"
        #expect(eventually { server.log.contains(explanation) })
        #expect(eventually { server.runningWorkers.isEmpty })
        #expect(try server.dialtone("users", "show", fictionalNumber(1)).errors.contains(explanation))
        let list = try server.dialtone("keys", "list").output
        #expect(list.contains("index-1  being replaced: move-index has not completed\n"))
        #expect(list.contains("index-2  coming into force: move-index has not completed\n"))
        #expect(try server.dialtone("keys", "move-index").isFine)
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == uid)
    }

    @Test("a Redis that lost its mark is adopted under the index key of its claims")
    func adopted() throws {
        let server = try RunningServer(workers: 1)
        let uid = try server.signInFresh(fictionalNumber(1))["localId"]
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        for worker in server.runningWorkers { worker.stop() }
        #expect(try server.dialtone("keys", "move-index").isFine)
        server.redis.cli("DEL", "dt:{/}:deployment")
        #expect(try server.dialtone("redis", "adopt", "--with-data").isFine)
        #expect(state(of: server) == "2")
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == uid)
    }

    @Test("a worker whose key file lacks the key in force does not start")
    func withoutKey() throws {
        let server = try RunningServer(workers: 1)
        _ = try server.signInFresh(fictionalNumber(1))
        let former = server.folder.read("keys.json")
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        for worker in server.runningWorkers { worker.stop() }
        #expect(try server.dialtone("keys", "move-index").isFine)
        try server.folder.write(former, to: "keys.json")
        for arguments in [["rotate", "--index"], ["rotate"]] {
            let errors = try server.dialtone(["keys"] + arguments).errors
            #expect(errors.contains("index-2 is in force and not in this file: copy the deployment's current key file"))
        }
        #expect(server.folder.read("keys.json") == former)
        try server.startWorker()
        let explanation =
            "has index-2 in force, which is not in this machine's key file: copy the deployment's current key file"
        #expect(eventually { server.log.contains(explanation) })
        #expect(eventually { server.runningWorkers.isEmpty })
        #expect(try server.dialtone("users", "show", fictionalNumber(1)).errors.contains(explanation))
        let list = try server.dialtone("keys", "list").output
        #expect(list.contains("index-1  only for older recovery codes and audit events\n"))
        #expect(list.contains("index-2  needed, but missing from this file"))
    }
}
