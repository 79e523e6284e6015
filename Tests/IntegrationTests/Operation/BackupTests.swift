import GatewayStandIn
import Glibc
import Processes
import TestServers
import Testing

/// Backups of a deployment, and what is left after a loss.
@Suite struct BackupTests {
    private static let redisSettings = ["repl-diskless-sync-delay 0"]

    private func server(_ settings: [String: String] = [:]) throws -> RunningServer {
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"].merging(settings) { $1 },
            redisSettings: Self.redisSettings
        )
        #expect(try server.makeBackupKey(server.backupKey).isFine)
        return server
    }

    private static let ada = #"{"email":"ada@example.com","password":"correct horse"}"#

    @Test("after the loss of Redis and of the key file, a backup and its key bring every account and session back")
    func everythingLost() throws {
        let server = try server()
        let number = fictionalNumber(1)
        let user = try server.signInFresh(number)
        let ada = try #require(try server.post("/v1/accounts:signUp", Self.ada)["localId"])
        var second = try SecondFactorUser(server)
        _ = try second.enrollApp()
        #expect(try server.dialtone("test-numbers", "set", "+16505550172", "314159").isFine)
        let backup = try server.backup()
        #expect(backup.isFine, "\(backup.errors)")
        #expect(server.mode(of: server.backupFile) == 0o600 && server.mode(of: server.backupKey) == 0o600)

        server.redis.cli("FLUSHALL")
        #expect(unlink(server.folder.path(of: "keys.json")) == 0)
        #expect(try server.restore("--keys-only").isFine)
        #expect(server.mode(of: server.folder.path(of: "keys.json")) == 0o600)
        #expect(try server.restore("--keys-only").errors.contains("File exists"))
        let restored = try server.restore("--verify")
        #expect(restored.isFine, "\(restored.errors)")
        #expect(restored.output.contains(" has the data of the deployment "))
        let verified = "decrypted 3 accounts with 1 phone numbers, 2 e-mail addresses, 2 password hashes and 1 second"
        #expect(restored.output.contains(verified), "\(restored.output)")
        #expect(restored.output.contains(" factors, and 1 test numbers\n"))
        #expect(try server.restore().errors.contains("this Redis has data; restore into an empty one"))

        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(number)["localId"] == user["localId"])
        #expect(try server.refresh(#require(user["refreshToken"])).status == 200)
        #expect(try server.post("/v1/accounts:signInWithPassword", Self.ada)["localId"] == ada)
        let audit = AccountAudit(server.redis)
        #expect(audit.faults.isEmpty && audit.orphans.isEmpty, "\(audit.faults) \(audit.orphans)")
        #expect(try server.dialtone("audit").output.contains("restore of the backup of 20"))
    }

    @Test("no worker serves until all keys are restored, a killed command is repeated, and damage is found before that")
    func interrupted() throws {
        let server = try server()
        let user = try server.signInFresh(fictionalNumber(1))
        #expect(try server.backup().isFine)
        let own = try readBytes(server.backupFile)
        server.redis.cli("FLUSHALL")

        #expect(own.count > 200)
        for (damaged, reason) in [
            (Array(own.dropLast()), "with another key, or damaged"), (own + [0], "with another key, or damaged"),
            (flipped(own, own.count / 2), "with another key, or damaged"),
            (flipped(own, 30), "with another key, or damaged"),
            (Array(own.prefix(10)), "not a backup"),
        ] {
            try writeBytes(damaged, server.backupFile)
            let refused = try server.restore()
            #expect(refused.status == .exited(1) && refused.errors.contains(reason), "\(refused)")
            #expect(server.redis.cli("DBSIZE") == "0")
        }
        try writeBytes(own, server.backupFile)
        #expect(try server.makeBackupKey(server.backupKey + "2").isFine)
        let wrong = try server.dialtone("restore", server.backupFile, "--key", server.backupKey + "2")
        #expect(wrong.errors.contains("with another key, or damaged"))

        // The server refuses one command in the middle.
        server.redis.cli("CONFIG", "SET", "maxmemory", "1")
        #expect(try server.restore().errors.contains("run the command again"))
        server.redis.cli("CONFIG", "SET", "maxmemory", "0")
        #expect(try eventually { try server.get("/readyz").status == 503 })
        #expect(try server.restore().isFine)
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == user["localId"])
    }

    private func flipped(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 1
        return bytes
    }

    @Test("a large backup with an exchanged, a missing and a truncated part is refused before anything changes")
    func parts() throws {
        let server = try server()
        for worker in server.runningWorkers { worker.stop() }
        // Random digits, which are not compressed.
        let script = """
            for i = 1, 40 do
              local text = ''
              for j = 1, 1500 do text = text .. redis.sha1hex(i .. '-' .. j) end
              redis.call('SET', 'dt:{u/' .. i .. '}:x', text)
            end
            """
        server.redis.cli("EVAL", script, "0")
        #expect(try server.backup().isFine)
        let own = try readBytes(server.backupFile)
        server.redis.cli("FLUSHALL")
        let chunk = 65_536 + 16
        let start = try #require(own.firstIndex(of: 10)) + 1
        try #require(own.count > start + 4 * chunk)
        func part(_ index: Int) -> ArraySlice<UInt8> { own[start + index * chunk..<start + (index + 1) * chunk] }
        let rest = own[(start + 3 * chunk)...]
        for damaged in [
            own[..<start] + part(0) + part(2) + part(1) + rest, own[..<start] + part(0) + part(2) + rest,
            own[..<(start + 3 * chunk)],
        ] {
            try writeBytes(Array(damaged), server.backupFile)
            #expect(try server.restore().errors.contains("damaged or incomplete"))
            #expect(server.redis.cli("DBSIZE") == "0")
        }
        try writeBytes(own, server.backupFile)
        #expect(try server.restore().isFine)
        #expect(server.redis.cli("STRLEN", "dt:{u/40}:x") == "60000")
    }

    @Test("a restored Redis sends no message again, and codes that were requested before are void")
    func outbox() async throws {
        let deployment = try await MessageDeployment.start(settings: [
            "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled"
        ])
        let server = deployment.server
        server.redis.cli("CONFIG", "SET", "repl-diskless-sync-delay", "0")
        #expect(try server.makeBackupKey(server.backupKey).isFine)
        let session = try server.openVerification(fictionalNumber(1))
        let code = try server.code(of: session)
        #expect(server.redis.cli("XLEN", "dt:{demo-dialtone}:outbox") == "1")
        let backup = try server.backup()
        #expect(backup.errors.contains(" without "), "\(backup.errors)")
        var dispatcher = try server.startDispatcher()
        #expect(eventually { deployment.first.requests.count == 1 })
        dispatcher.stop()
        server.redis.cli("FLUSHALL")
        #expect(try server.restore().isFine)
        #expect(server.redis.cli("KEYS", "*outbox*") == "" && server.redis.cli("KEYS", "*:sess:*") == "")
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signIn(session, code).errorMessage == "SESSION_EXPIRED")
        dispatcher = try server.startDispatcher()
        // A new message shows that the dispatcher works.
        #expect(try server.sendVerificationCode(fictionalNumber(2)).status == 200)
        #expect(eventually { deployment.first.requests.count == 2 })
        #expect(MessageDeployment.messages(deployment.first).map(\.to) == [fictionalNumber(1), fictionalNumber(2)])
    }

    @Test("a backup from before a move of the index key is restored with the key file of its time or a later one")
    func indexKey() throws {
        let server = try server()
        let user = try server.signInFresh(fictionalNumber(1))
        let ada = try #require(try server.post("/v1/accounts:signUp", Self.ada)["localId"])
        #expect(try server.backup().isFine)
        for worker in server.runningWorkers { worker.stop() }
        #expect(try server.dialtone("keys", "rotate", "--index").isFine)
        #expect(try server.dialtone("keys", "move-index").isFine)
        let moved = server.folder.read("keys.json")
        server.redis.cli("FLUSHALL")
        #expect(try server.restore("--verify").isFine)
        #expect(server.redis.cli("HGET", "dt:{/}:deployment", "index-key") == "")
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == user["localId"])
        #expect(try server.post("/v1/accounts:signInWithPassword", Self.ada)["localId"] == ada)

        // The former key was dropped from the file.
        for worker in server.runningWorkers { worker.stop() }
        server.redis.cli("FLUSHALL")
        let dropped = moved.replacing(#/"indexKeys":\[\{[^}]*\},/#, with: "\"indexKeys\":[")
        try #require(dropped != moved)
        try server.folder.write(dropped, to: "keys.json")
        let refused = try server.restore()
        #expect(refused.errors.contains("has index-1 in force, which is not in this machine's key file"), "\(refused)")
        #expect(refused.errors.contains("use the key file of its time, which --keys-only creates"))
        #expect(server.redis.cli("DBSIZE") == "0")
        #expect(unlink(server.folder.path(of: "keys.json")) == 0)
        #expect(try server.restore("--keys-only").isFine)
        #expect(try server.restore("--verify").isFine)
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh(fictionalNumber(1))["localId"] == user["localId"])
    }

    @Test("a backup to standard output is the same as a file, and an existing file is replaced only on request")
    func output() throws {
        let server = try server()
        let command = "\(RunningServer.binary) backup - --key \(server.backupKey) --config \(server.configuration)"
        #expect(try FinishedProcess.run("sh", ["-c", command + " > \(server.backupFile)"]).isFine)
        #expect(try server.backup().errors.contains("the file exists; --force replaces it"))
        server.redis.cli("FLUSHALL")
        #expect(try server.restore().isFine)
        let other = try self.server()
        #expect(try other.dialtone("backup", server.backupFile, "--force", "--key", server.backupKey).isFine)
        server.redis.cli("FLUSHALL")
        #expect(try server.restore().errors.contains("another deployment's; for this backup, use the key file of its"))
        #expect(server.redis.cli("DBSIZE") == "0")
    }
}

extension BackupTests {
    @Test("a backup is restored only from a regular file, and replaces only one")
    func otherFiles() throws {
        let server = try server()
        let pipe = server.folder.path(of: "pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try server.backup().isFine)
        server.redis.cli("FLUSHALL")
        let reasons = [
            (pipe, "not a regular file, which a restore reads twice"), (server.folder.path, "not a regular file"),
            ("-", "No such file or directory"),
        ]
        for (file, reason) in reasons {
            let restored = try server.dialtone("restore", file, "--key", server.backupKey)
            #expect(restored.status == .exited(1) && restored.errors.hasPrefix("dialtone: \(file): \(reason)"))
        }
        #expect(server.redis.cli("DBSIZE") == "0")
        #expect(try server.restore().isFine)
        for file in [pipe, "/dev/null", server.folder.path] {
            let backup = try server.dialtone("backup", file, "--force", "--key", server.backupKey)
            #expect(backup.errors == "dialtone: \(file): exists and is not a regular file\n")
        }
    }

    @Test("a key file for which there is no room is not left empty")
    func noRoom() throws {
        let server = try server()
        let path = server.folder.path(of: "new.json")
        for words in ["", "--for-backups"] {
            let command = "trap '' XFSZ; ulimit -f 0; \(RunningServer.binary) keys generate \(words) --output \(path)"
            let generated = try FinishedProcess.run("sh", ["-c", "(\(command) 2>&1) | cat >&2"])
            #expect(generated.errors == "dialtone: \(path): File too large\n")
            #expect(access(path, F_OK) != 0)
        }
    }
}

extension RunningServer {
    var backupFile: String { folder.path(of: "backup") }
    var backupKey: String { folder.path(of: "backup.key") }

    func makeBackupKey(_ path: String) throws -> FinishedProcess {
        try FinishedProcess.run(Self.binary, ["keys", "generate", "--for-backups", "--output", path])
    }

    func backup() throws -> FinishedProcess { try dialtone("backup", backupFile, "--key", backupKey) }

    func restore(_ options: String...) throws -> FinishedProcess {
        try dialtone(["restore", backupFile, "--key", backupKey] + options)
    }

    fileprivate func mode(of path: String) -> mode_t? {
        var information = stat()
        return stat(path, &information) == 0 ? information.st_mode & 0o777 : nil
    }
}

private func readBytes(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw ServerFailure(description: "\(path) cannot be read") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16 << 20)
    return Array(bytes[..<max(0, read(descriptor, &bytes, bytes.count))])
}

private func writeBytes(_ bytes: [UInt8], _ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_TRUNC)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0 else {
        throw ServerFailure(description: "\(path) cannot be written")
    }
}
