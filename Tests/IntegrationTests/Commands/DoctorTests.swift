import Encodings
import GatewayStandIn
import Glibc
import Processes
import TestServers
import Testing

/// `dialtone doctor` on a machine with all parts of a deployment, in which single faults are planted.
@Suite(.serialized, .timeLimit(.minutes(30))) struct DoctorTests {
    /// A fault, and the finding about it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let area: String
        let subject: String
        let severity: String
        /// A part of the finding's text.
        let text: String
        var settings: [String: String] = [:]
        var lines = ""
        var nginx: [(old: String, new: String)] = []
        var isSynchronized = true
        /// A command for Redis, and the one that undoes it.
        var redis: (plant: [String], undo: [String])?
        /// The gateway's reply.
        var reply: Reply?
        var prepare: @Sendable (TemporaryFolder) throws -> Void = { _ in }

        init(_ area: String, _ subject: String, _ severity: String, _ text: String) {
            (self.area, self.subject, self.severity, self.text) = (area, subject, severity, text)
        }

        var testDescription: String { "\(area) \(subject): \(text)" }

        func with(_ change: (inout Fault) -> Void) -> Fault {
            var fault = self
            change(&fault)
            return fault
        }
    }

    /// Returns the findings that are not fine.
    private static func wrong(_ finished: FinishedProcess) -> [JSONObject] {
        finished.output.split(separator: "\n").compactMap { JSONObject(parsing: Array($0.utf8)) }
            .filter { $0.text("severity") != "ok" }
    }

    @Test("a machine without faults gets one line")
    func healthy() async throws {
        let machine = try await HealthyMachine.shared.value
        let wrong = try Self.wrong(machine.examine())
        #expect(wrong == [])
        let finished = try machine.examine([])
        #expect(finished.output.hasPrefix("healthy: ") && finished.output.hasSuffix(" checks\n"), "\(finished.output)")
        #expect(finished.output.split(separator: "\n").count == 1)
        #expect(finished.isFine)
    }

    @Test("a planted fault is found", arguments: faults)
    func planted(fault: Fault) async throws {
        let machine = try await HealthyMachine.shared.value
        if let redis = fault.redis { machine.server.redis.cli(redis.plant) }
        if let reply = fault.reply { machine.gateway.queue(reply) }
        defer { if let redis = fault.redis { machine.server.redis.cli(redis.undo) } }
        let finished = try machine.examine(
            settings: fault.settings,
            appending: fault.lines,
            nginx: fault.nginx,
            isSynchronized: fault.isSynchronized,
            prepare: fault.prepare
        )
        let wrong = Self.wrong(finished)
        let isFound = wrong.contains {
            $0.text("area") == fault.area && $0.text("subject").contains(fault.subject)
                && $0.text("severity") == fault.severity && $0.text("text").contains(fault.text)
        }
        #expect(isFound, "\(wrong) \(finished.errors)")
        #expect((finished.status == .exited(0)) == !wrong.contains { $0.text("severity") == "error" })
    }

    static let faults = texts + contradictions + files + redis + gateways + nginx

    private static let texts: [Fault] = [
        Fault("settings", "DEMO_DIALTONE_NAME", "advice", "in quotes")
            .with { $0.settings = ["PROJECT_DEMO_DIALTONE_NAME": #""Example""#] },
        Fault("settings", "DEMO_DIALTONE_NAME", "advice", "in quotes")
            .with { $0.settings = ["PROJECT_DEMO_DIALTONE_NAME": "'Example'"] },
        Fault("settings", "DEMO_DIALTONE_NAME", "advice", "a comment")
            .with { $0.settings = ["PROJECT_DEMO_DIALTONE_NAME": "Example # our app"] },
        Fault("settings", "DEMO_DIALTONE_NAME", "advice", "an invisible character")
            .with { $0.settings = ["PROJECT_DEMO_DIALTONE_NAME": "Exam\u{200B}ple"] },
        Fault("start", "settings", "error", "is not a setting")
            .with { $0.lines = "DIALTONE_TRHEADS=4" },
        Fault("start", "settings", "error", #"is not a number from 1 to 512"#)
            .with { $0.settings = ["THREADS": #""16""#] },
        Fault("start", "settings", "error", "is set twice").with {
            $0.lines = "DIALTONE_THREADS=4\nDIALTONE_THREADS=8"
        },
        Fault("start", "settings", "error", "not NAME=value").with { $0.lines = "export DIALTONE_THREADS=4" },
    ]

    private static func contradiction(_ subject: String, _ text: String, _ settings: [String: String]) -> Fault {
        Fault("settings", subject, "advice", text).with { $0.settings = settings }
    }

    private static let contradictions: [Fault] = [
        contradiction("SENDS_PER_NUMBER_PER_HOUR", "no effect", ["SENDS_PER_NUMBER_PER_HOUR": "20"]),
        contradiction("SENDS_PER_APP_CREDENTIAL_PER_HOUR", "no effect", ["SENDS_PER_APP_CREDENTIAL_PER_HOUR": "31"]),
        contradiction(
            "SENDS_PER_PROJECT_PER_HOUR",
            "no effect",
            ["SENDS_PER_PROJECT_PER_HOUR": "900", "SENDS_PER_PROJECT_PER_DAY": "800"]
        ),
        contradiction("NEW_ACCOUNTS_PER_NETWORK_PER_DAY", "no effect", ["NEW_ACCOUNTS_PER_NETWORK_PER_DAY": "5000"]),
        contradiction("WRONG_CODES_BEFORE_WAIT", "no effect", ["WRONG_CODES_BEFORE_WAIT": "100"]),
        contradiction("LOCK_SECONDS", "a code that has expired", ["LOCK_SECONDS": "300", "SESSION_SECONDS": "120"]),
        contradiction(
            "REDIS_COMMAND_TIMEOUT_MILLISECONDS",
            "before its command can be repeated",
            ["REDIS_COMMAND_TIMEOUT_MILLISECONDS": "5000"]
        ),
        contradiction(
            "GATEWAY_MAIN_RECEIPT_SECONDS",
            "the code expires",
            [
                "GATEWAY_MAIN_RECEIPT_SECONDS": "300", "SESSION_SECONDS": "120",
                "RECEIPT_URL": "https://auth.example.org",
            ]
        ),
        contradiction("project demo-dialtone", "every region", ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": ""]),
        contradiction(
            "GATEWAYS",
            "writes codes to a file",
            [
                "GATEWAY_MAIN_KIND": "file", "GATEWAY_MAIN_FILE": "FOLDER/messages", "GATEWAY_MAIN_ACCOUNT": "",
                "GATEWAY_MAIN_SECRET": "", "GATEWAY_MAIN_SENDER": "", "GATEWAY_MAIN_URL": "",
            ]
        ),
    ]

    private static let files: [Fault] = [
        Fault("files", "dialtone.conf", "error", "every user of this machine can read")
            .with { $0.prepare = { chmod($0.path(of: "dialtone.conf"), 0o644) } },
        Fault("files", "open.json", "error", "every user of this machine can read").with { fault in
            fault.settings = ["KEY_FILE": "FOLDER/open.json"]
            fault.prepare = {
                try $0.write("{}", to: "open.json")
                chmod($0.path(of: "open.json"), 0o644)
            }
        },
        Fault("start", "settings", "error", "missing.json").with { $0.settings = ["KEY_FILE": "FOLDER/missing.json"] },
        Fault("files", "expired.pem", "error", "expired on").with {
            $0.settings = ["APNS_TRUST_FILE": "CERTIFICATES/expired.pem"]
        },
    ]

    private static func setting(_ subject: String, _ severity: String, _ plant: [String], _ undo: [String]) -> Fault {
        Fault("Redis master", subject, severity, "").with {
            $0.redis = (["CONFIG", "SET"] + plant, ["CONFIG", "SET"] + undo)
        }
    }

    private static let redis: [Fault] = [
        setting("appendfsync", "error", ["appendfsync", "no"], ["appendfsync", "always"]),
        setting("appendonly", "error", ["appendonly", "no"], ["appendonly", "yes"]),
        setting(
            "maxmemory-policy",
            "error",
            ["maxmemory-policy", "allkeys-lru", "maxmemory", "1gb"],
            ["maxmemory-policy", "noeviction", "maxmemory", "0"]
        ),
        setting("memory", "error", ["maxmemory", "1mb"], ["maxmemory", "0"]),
        setting("min-replicas-to-write", "error", ["min-replicas-to-write", "5"], ["min-replicas-to-write", "1"]),
        setting("replicas", "error", ["min-replicas-to-write", "0"], ["min-replicas-to-write", "1"]).with {
            $0.settings = ["REDIS_REPLICAS_BEFORE_ANSWER": "3"]
        },
        Fault("Redis", "connection", "error", "WRONGPASS").with {
            $0.settings = ["REDIS_USER": "nobody", "REDIS_PASSWORD": "wrong"]
        },
        Fault("Redis", "connection", "error", "No such file").with {
            $0.settings = ["REDIS_ADDRESS": "unix:FOLDER/none.sock"]
        },
        Fault("Redis", "connection", "error", "Connection refused").with {
            $0.settings = ["REDIS_ADDRESS": "redis://127.0.0.1:1"]
        },
        Fault("Redis master", "deployment", "error", "shards").with { $0.settings = ["SHARDS": "8"] },
        Fault("Redis master", "deployment", "error", "belongs to the deployment").with { fault in
            fault.settings = ["KEY_FILE": "FOLDER/other.json"]
            fault.prepare = {
                let arguments = ["keys", "generate", "--output", $0.path(of: "other.json")]
                _ = try FinishedProcess.run(RunningServer.binary, arguments)
            }
        },
    ]

    private static let gateways: [Fault] = [
        Fault("gateways", "main", "error", "credentials refused (20003)").with {
            $0.reply = .answer(401, #"{"code":20003}"#)
        },
        Fault("gateways", "main", "error", "account not enabled").with { $0.reply = .answer(403, #"{"code":20005}"#) },
        Fault("gateways", "main", "error", "address unknown").with { $0.reply = .answer(404) },
        Fault("gateways", "main", "error", "redirected").with { $0.reply = .answer(301) },
        Fault("gateways", "main", "error", "unreachable").with {
            $0.settings = ["GATEWAY_MAIN_URL": "https://127.0.0.1:1"]
        },
        Fault("gateways", "main", "error", "name not resolved").with {
            $0.settings = ["GATEWAY_MAIN_URL": "https://gateway.invalid"]
        },
        Fault("gateways", "main", "error", "untrusted server").with { $0.settings = ["GATEWAY_TRUST_FILE": ""] },
    ]

    private static func change(
        _ subject: String,
        _ severity: String,
        _ text: String,
        _ old: String,
        _ new: String
    ) -> Fault {
        Fault("nginx", subject, severity, text).with { $0.nginx = [(old, new)] }
    }

    private static let nginx: [Fault] = [
        change("configuration", "error", "[emerg]", "server_name auth.example.org;", "server_nam auth.example.org;"),
        change("configuration", "error", "[emerg]", "CERTIFICATES/certificate.pem;", "missing.pem;"),
        change("configuration", "advice", "does not serve", "include dialtone-locations.conf;", ""),
        change("expired.pem", "error", "expired on", "certificate.pem", "expired.pem"),
        change("expiring.pem", "advice", "expires in 4 days", "certificate.pem", "expiring.pem"),
        change("auth.example.com", "advice", "of the example", "auth.example.org", "auth.example.com"),
        change("auth.example.org", "advice", "API keys", "access.log dialtone", "access.log combined"),
        change("auth.example.org", "error", "no TLS", "ssl_certificate", "# ssl_certificate").with {
            $0.nginx.append((" ssl http2;", ";"))
        },
        change("dialtone-locations.conf", "advice", "not the file of Dialtone", "burst=500 ", "burst=5000 "),
        change("dialtone-fastcgi.conf", "advice", "not the file", "fastcgi_param REMOTE_ADDR", "# fastcgi_param"),
        Fault("nginx", "dialtone-locations.conf", "error", "too short").with {
            $0.settings = ["REQUEST_DEADLINE_SECONDS": "20"]
        },
        change("dialtone-locations.conf", "error", "too short", "fastcgi_read_timeout 8s", "fastcgi_read_timeout 4s"),
        change("admin listener 0.0.0.0", "error", "admin tokens", "PRIVATE", "0.0.0.0"),
        change("worker.sock", "error", "user nobody may not connect", "user root;", "user nobody nogroup;"),
        change("worker.sock", "error", "does not exist", "/worker.sock", "/missing/worker.sock"),
        change("nowhere.sock", "error", "does not exist", "worker.sock", "nowhere.sock"),
        Fault("nginx", "MAX_BODY_BYTES", "advice", "client_max_body_size").with {
            $0.settings = ["MAX_BODY_BYTES": "1000000"]
        },
        Fault("nginx", "ADMIN_ROUTES", "advice", "cannot be reached").with {
            $0.settings = ["ADMIN_ROUTES": "enabled"]
            $0.nginx = [("include dialtone-admin.conf;", "")]
        },
        Fault("clock", "synchronization", "advice", "not synchronized").with { $0.isSynchronized = false },
    ]
}
