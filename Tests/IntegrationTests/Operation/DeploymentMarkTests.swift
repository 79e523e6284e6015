import Encodings
import Processes
import TestServers
import Testing

/// Two deployments' key files and one Redis: whatever mixes them up is refused before it reads or writes.
@Suite struct DeploymentMarkTests {
    /// What a command does with the Redis of another deployment.
    enum Use {
        /// It opens Redis and is refused.
        case refused
        /// It does not open Redis.
        case none
    }

    /// Every command with arguments. `FILE` is an existing file.
    static let commands: [(words: String, use: Use)] = [
        ("dev", .none), ("worker", .refused), ("dispatcher", .refused),
        ("keys generate", .none), ("keys rotate", .refused), ("keys rotate --index", .refused),
        ("keys rotate --secrets --at-once", .refused), ("keys retire", .refused),
        ("keys list", .refused), ("keys move-index", .refused),
        ("users import FILE", .refused), ("users export --output FILE.export", .refused),
        ("users list", .refused), ("users create --phone +16505550174", .refused),
        ("users set +16505550171 --name Ada", .refused),
        ("users show +16505550171", .refused), ("users disable +16505550171", .refused),
        ("users enable +16505550171", .refused), ("users revoke +16505550171", .refused),
        ("users end-session +16505550171 0123456789abcdef", .refused), ("users delete +16505550171", .refused),
        ("users mfa list +16505550171", .refused), ("users mfa withdraw +16505550171 id", .refused),
        ("test-numbers list", .refused), ("test-numbers set +16505550172 271828", .refused),
        ("test-numbers remove +16505550172", .refused),
        ("admin-tokens create backend", .refused), ("admin-tokens list", .refused),
        ("admin-tokens revoke id", .refused),
        ("limits show +16505550171", .refused), ("limits reset +16505550171", .refused),
        ("sms report", .refused), ("sms forgive US", .refused), ("sms test +16505550171", .none),
        ("mail test ann@example.com", .none),
        ("push-receipts revoke --app ios", .refused),
        ("doctor", .refused), ("redis adopt", .refused),
        ("redis adopt --with-data", .refused),
        ("backup FILE.other --key FILE.key", .refused), ("restore FILE.backup --key FILE.key", .refused),
        ("outbox show", .refused), ("outbox retry --all", .refused), ("outbox drop --all", .refused),
        ("explain 7K3M-9QXA-2BCD", .refused), ("audit", .refused),
        ("numbering show", .none), ("numbering update FILE", .none),
        ("config check", .refused), ("config example", .none), ("config show", .refused),
        ("config reset", .refused), ("version", .none),
    ]

    private static let app = [
        "PROJECT_DEMO_DIALTONE_APPS": "ios", "PROJECT_DEMO_DIALTONE_APP_IOS_BUNDLE_ID": "com.example.app",
        "PROJECT_DEMO_DIALTONE_APP_IOS_APNS_KEY_FILE": "key.p8",
        "PROJECT_DEMO_DIALTONE_APP_IOS_APNS_KEY_ID": "ABCDE12345",
        "PROJECT_DEMO_DIALTONE_APP_IOS_APNS_TEAM_ID": "ABCDE67890",
    ]

    /// Returns the path of settings with another deployment's key file and the server's Redis.
    private func foreignSettings(_ server: RunningServer) throws -> String {
        let keys = server.folder.path(of: "other-keys.json")
        try #require(FinishedProcess.run(RunningServer.binary, ["keys", "generate", "--output", keys]).isFine)
        let own = server.folder.read("dialtone.conf")
        let other = own.replacing(server.folder.path(of: "keys.json"), with: keys)
        try #require(other != own)
        try server.folder.write(other, to: "other.conf")
        return server.folder.path(of: "other.conf")
    }

    private func fingerprint(_ settings: String) throws -> Substring {
        let check = try FinishedProcess.run(RunningServer.binary, ["config", "check", "--config", settings])
        let line = try #require(check.output.split(separator: "\n").first { $0.hasPrefix("deployment ") })
        return try #require(line.split(separator: " ").last)
    }

    /// Returns the words of every command that has no commands of its own.
    static func allCommands() throws -> Set<String> {
        func leaves(_ command: JSONObject, _ words: [String]) -> [String] {
            guard case .array(let children) = command["subcommands"] else { return [words.joined(separator: " ")] }
            return children.flatMap { child -> [String] in
                guard case .object(let child) = child, child.text("commandName") != "help" else { return [] }
                return leaves(child, words + [child.text("commandName")])
            }
        }
        let help = try FinishedProcess.run(RunningServer.binary, ["--experimental-dump-help"])
        guard case .object(let dump) = try JSONValue.parse(Array(help.output.utf8)) else { return [] }
        return Set(leaves(dump.object("command"), []))
    }

    @Test("each command with another deployment's key file is refused and changes nothing, and none is forgotten here")
    func everyCommand() throws {
        let server = try RunningServer(workers: 1, settings: Self.app)
        let user = try server.signInFresh("+16505550171")
        #expect(try server.dialtone("test-numbers", "set", "+16505550172", "314159").isFine)
        for worker in server.runningWorkers { worker.stop() }
        let settings = try foreignSettings(server)
        let (own, other) = (try fingerprint(server.configuration), try fingerprint(settings))
        try #require(own != other)
        let reason = "belongs to the deployment \(own), the key file to \(other)"
        try server.folder.write("{\"localId\":\"imported\",\"phoneNumber\":\"+16505550173\"}\n", to: "users.jsonl")
        let file = server.folder.path(of: "users.jsonl")
        #expect(try server.makeBackupKey(file + ".key").isFine)
        #expect(try server.dialtone("backup", file + ".backup", "--key", file + ".key").isFine)
        let (before, keys) = (contents(server), server.folder.read("other-keys.json"))

        let known = try Self.allCommands()
        let tested = Self.commands.map { entry in
            known.first { entry.words == $0 || entry.words.hasPrefix($0 + " ") }
        }
        #expect(Set(tested) == known)
        for (words, use) in Self.commands where use == .refused {
            let words = words.replacing("FILE", with: file)
            let arguments = words.split(separator: " ").map(String.init) + ["--config", settings]
            let run = try FinishedProcess.run(RunningServer.binary, arguments)
            #expect((run.output + run.errors).contains(reason), "\(words): \(run)")
            // This also shows what does not depend on Redis.
            if words != "config check" { #expect(run.status == .exited(1), "\(words)") }
        }
        #expect(contents(server) == before)
        #expect(server.folder.read("other-keys.json") == keys)

        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.signInFresh("+16505550171")["localId"] == user["localId"])
    }

    /// Returns each key with its value, except rates: after one event, the key of a high maximum expires within
    /// seconds.
    private func contents(_ server: RunningServer) -> [String: String] {
        let keys = server.redis.cli("KEYS", "*").split(separator: "\n").map(String.init)
        let lasting = keys.filter { !$0.contains(":rate:") }
        return Dictionary(uniqueKeysWithValues: lasting.map { ($0, server.redis.cli("DUMP", $0)) })
    }

    @Test("a worker whose Redis loses its data while it runs responds with 503, signs no one out, and writes nothing")
    func flush() throws {
        let server = try RunningServer(workers: 1)
        let user = try server.signInFresh("+16505550174")
        let (idToken, refreshToken) = (try #require(user["idToken"]), try #require(user["refreshToken"]))
        server.redis.cli("FLUSHALL")
        #expect(try eventually { try server.get("/readyz").status == 503 })
        let readiness = try server.get("/readyz?verbose")
        #expect(readiness.status == 503)
        #expect(readiness.text.contains(#"{"name":"redis","status":"ok"}"#), "\(readiness.text)")
        let reason = #"{"name":"deployment","status":"failed","reason":"Redis has no deployment's mark"#
        #expect(readiness.text.contains(reason), "\(readiness.text)")
        server.redis.cli("FLUSHALL")
        #expect(try server.sendVerificationCode("+16505550175").status == 503)
        #expect(try server.refresh(refreshToken).status == 503)
        #expect(try server.lookUp(idToken).status == 503)
        #expect(
            try server.get("/auth/verify?check=revocation", headers: [("Authorization", "Bearer \(idToken)")]).status
                == 503
        )
        #expect(
            try server.get(
                "/v1/projects/demo-dialtone/accounts:batchGet",
                headers: [("Authorization", "Bearer owner")]
            ).status == 503
        )
        #expect(server.redis.cli("DBSIZE") == "0")
        #expect(server.log.contains("has no deployment's mark"))

        let adoption = try server.dialtone("redis", "adopt")
        #expect(adoption.isFine && adoption.output.contains("now belongs to the deployment"))
        #expect(try eventually { try server.get("/readyz").status == 200 })
        #expect(try server.sendVerificationCode("+16505550175").status == 200)
    }

    @Test("in the second after Redis lost its data, too, no client learns that its user is unknown or gets an account")
    func flushAMomentAgo() throws {
        let number = "+16505550174"
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "ADMIN_ROUTES": "enabled",
                "PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
            ]
        )
        #expect(try server.dialtone("test-numbers", "set", number, "271828", "--project", "demo-dialtone").isFine)
        #expect(try eventually { try server.sendVerificationCode(number).status == 200 })
        let user = try server.signIn(try server.openVerification(number), "271828")
        let (idToken, refreshToken) = (try #require(user["idToken"]), try #require(user["refreshToken"]))
        let session = try server.openVerification(number)
        let admin = try server.adminBearer()
        let password = #"{"email":"ada@example.com","password":"correct horse"}"#
        let calls: [(name: String, call: () throws -> HTTPAnswer)] = [
            ("send", { try server.sendVerificationCode(number) }),
            ("sign-in", { try server.signIn(session, "271828") }),
            ("token", { try server.refresh(refreshToken) }),
            ("lookup", { try server.lookUp(idToken) }),
            ("anonymous", { try server.post("/v1/accounts:signUp", "{}") }),
            ("password", { try server.post("/v1/accounts:signInWithPassword", password) }),
            ("sign-up", { try server.post("/v1/accounts:signUp", password) }),
            (
                "forward authentication",
                {
                    let bearer = [("Authorization", "Bearer \(idToken)")]
                    return try server.get("/auth/verify?project=demo-dialtone&check=revocation", headers: bearer)
                }
            ),
            (
                "administration",
                {
                    try server.get("/v1/projects/demo-dialtone/accounts:batchGet", headers: [("Authorization", admin)])
                }
            ),
        ]
        for (name, call) in calls {
            // The worker has just compared the mark when Redis is emptied.
            #expect(try eventually { try server.get("/readyz").status == 200 })
            server.redis.cli("FLUSHALL")
            let answer = try call()
            #expect(answer.status == 503, "\(name): \(answer.text)")
            // Only counters and decisions may be left, which expire.
            let lasting = contents(server).keys.filter { server.redis.cli("TTL", $0) == "-1" }
            #expect(lasting.isEmpty, "\(name): \(lasting)")
            #expect(server.redis.cli("KEYS", "dt:{u*").isEmpty && server.keysOfSends == "", "\(name)")
            let adoption = try server.dialtone("redis", "adopt")
            #expect(adoption.isFine, "\(name): \(adoption.errors)")
        }
        #expect(try eventually { try server.post("/v1/accounts:signUp", "{}").status == 200 })
    }

    @Test("workers and dispatchers do not start with a new Redis until it is adopted, which is done once")
    func newRedis() throws {
        let server = try RunningServer(workers: 1)
        for worker in server.runningWorkers { worker.stop() }
        server.redis.cli("FLUSHALL")
        for command in ["worker", "dispatcher"] {
            let run = try server.dialtone(command)
            #expect(run.status == .exited(1))
            #expect(run.errors.contains("run dialtone redis adopt"))
        }
        #expect(server.redis.cli("DBSIZE") == "0")
        let check = try server.dialtone("config", "check").output
        #expect(check.contains("consider     this Redis has no deployment's mark"))
        #expect(try server.dialtone("doctor").output.contains("ERROR   deployment: Redis has no deployment's mark"))
        #expect(try server.dialtone("redis", "adopt").isFine)
        #expect(try server.dialtone("redis", "adopt").output.contains("  belongs to the deployment "))
        #expect(try server.dialtone("doctor", "--all").output.contains("ok      deployment: "))
        try server.startWorker()
        #expect(try eventually { try server.get("/readyz").status == 200 })
    }
}
