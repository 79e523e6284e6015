import Encodings
import Processes
import Synchronization
import TestServers
import Testing

/// The routes of the operator's page: what commands report, with the rights of an admin token.
@Suite(.sharedServer { try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"]) })
struct ReportRouteTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private static let number = "+16505551801"
    private static let reports = [
        ("explain", #"{"phoneNumber":"\#(number)"}"#), ("outbox", "{}"), ("messages", #"{"days":35}"#),
        ("limits", #"{"phoneNumber":"\#(number)"}"#), ("limits", #"{"network":"192.0.2.1"}"#),
        ("limits", #"{"signUps":true}"#), ("testNumbers", "{}"), ("audit", "{}"),
    ].map { ("reports:\($0.0)", $0.1) }
    private static let changes = [
        ("limits:reset", #"{"phoneNumber":"\#(number)"}"#),
        ("outbox:retry", #"{"id":"1800000000000-0-demo-dialtone"}"#),
    ]

    private func answer(
        _ operation: String,
        _ json: String,
        token: String?,
        project: String = "demo-dialtone",
        on other: RunningServer? = nil
    ) throws -> HTTPAnswer {
        try HTTPClient(port: (other ?? server).port).request(
            "POST",
            "/v2/projects/\(project)/\(operation)",
            headers: [("Content-Type", "application/json")]
                + (token.map { [("Authorization", "Bearer \($0)")] } ?? []),
            body: Array(json.utf8)
        )
    }

    private func call(
        _ operation: String,
        _ json: String,
        token: String?,
        project: String = "demo-dialtone"
    ) throws -> HTTPAnswer {
        var latest = try answer(operation, json, token: token, project: project)
        // Another test may have a report made.
        for _ in 0..<1000 where latest.headers["retry-after"] != nil {
            latest = try answer(operation, json, token: token, project: project)
        }
        return latest
    }

    @Test("a worker makes one report at a time, and rejects another one until then")
    func oneAtATime() throws {
        let redis = try RedisServer.start()
        let proxy = try RedisProxy(to: redis)
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["ADMIN_ROUTES": "enabled", "REDIS_ADDRESS": "unix:\(proxy.socketPath)", "THREADS": "2"],
            redis: redis
        )
        let token = try server.adminToken()
        let others = Mutex<[HTTPAnswer]>([])
        var commands = 0
        repeat {
            commands += 1
            proxy.interrupt(afterCommands: commands, .goOn) {
                guard let other = try? answer("reports:outbox", "{}", token: token, on: server) else { return }
                others.withLock { $0.append(other) }
            }
            #expect(try answer("reports:outbox", "{}", token: token, on: server).status == 200)
        } while proxy.hasInterrupted()
        let refused = others.withLock { $0.filter { $0.status != 200 } }
        #expect(refused.count > 5 && refused.allSatisfy { $0.status == 400 && $0.headers["retry-after"] != nil })
    }

    @Test("a report needs a token of its project, and a change one with write access")
    func rights() throws {
        let (reading, writing) = (try server.adminToken(access: "read"), try server.adminToken())
        let foreign = try server.adminToken(project: "other")
        for (operation, json) in Self.reports + Self.changes {
            #expect(try call(operation, json, token: nil).status == 400, "\(operation)")
            #expect(try call(operation, json, token: "\(writing)x").status == 401, "\(operation)")
            #expect(try call(operation, json, token: foreign).status == 403, "\(operation)")
        }
        for (operation, json) in Self.reports {
            let answers = try [reading, writing].map { try call(operation, json, token: $0) }
            #expect(answers.map(\.status) == [200, 200], "\(operation): \(answers[0].text)")
        }
        for (operation, json) in Self.changes {
            #expect(try call(operation, json, token: reading).status == 403, "\(operation)")
        }
        #expect(try call("limits:reset", Self.changes[0].1, token: writing).status == 200)
        #expect(try call("outbox:retry", Self.changes[1].1, token: writing).status == 400)
    }

    @Test("a credential is shown the projects that it may administer, and how")
    func projects() throws {
        func list(_ token: String?) throws -> HTTPAnswer {
            try server.get("/operator/projects", headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
        }
        let answers = try [
            list(server.adminToken(access: "read")), list(server.adminToken(project: "other")), list("nonsense"),
            list(nil),
        ]
        #expect(answers.map(\.status) == [200, 200, 401, 400])
        #expect(
            answers.prefix(2).flatMap { $0.json.objects("projects") }.map { "\($0.text("id")) \($0.text("access"))" }
                == [
                    "demo-dialtone read", "other write",
                ]
        )
    }

    @Test("a project's operators see no request of another project, by its reference or by its number")
    func isolation() throws {
        let number = "+16505551802"
        let refused = try server.sendVerificationCode(number, apiKey: "other-key")
        let reference = try #require(refused.headers["dialtone-reference"])
        let (own, foreign) = (try server.adminToken(project: "other"), try server.adminToken())
        for json in [#"{"reference":"\#(reference)"}"#, #"{"phoneNumber":"\#(number)"}"#] {
            let shown = try call("reports:explain", json, token: own, project: "other")
            #expect(shown.status == 200 && shown.text.contains("CAPTCHA_CHECK_FAILED"), "\(shown.text)")
            #expect(!shown.text.contains("6505551802"))
            let hidden = try call("reports:explain", json, token: foreign)
            #expect(!hidden.text.contains("CAPTCHA_CHECK_FAILED"), "\(hidden.text)")
        }
        #expect(server.loggedSecrets(of: ["6505551802"]) == [])
    }

    @Test("the audit log is shown the latest events first, a page of them, and names who changed something")
    func audit() throws {
        let token = try server.adminToken()
        let number = #"{"phoneNumber":"+16505551803"}"#
        for _ in 0..<201 { #expect(try call("limits:reset", number, token: token).status == 200) }
        let answer = try call("reports:audit", number, token: token).json
        let events = answer.objects("records")
        #expect(events.count == 200 && answer["isPartial"] == .bool(true))
        #expect(Set(events.map { $0.text("detail") }) == ["limits reset +•••••••1803"])
        #expect(events.allSatisfy { $0.text("actor").hasPrefix("administrator ") })
        let times = events.compactMap { $0["at"]?.integer }
        #expect(times.count == 200 && times == times.sorted(by: >))
        let future = try call("reports:audit", #"{"since":"9999999999999"}"#, token: token).json
        #expect(future.objects("records").isEmpty && future["isPartial"] == nil)
    }

    @Test("what is not a request for a report is rejected, and nothing of it gets into the audit log")
    func invalid() throws {
        let token = try server.adminToken()
        for (operation, json, message) in [
            ("reports:explain", "{}", "Name a number or a reference."),
            ("reports:explain", #"{"reference":"x"}"#, "Not a"),
            ("reports:explain", #"{"reference":"7K3M-9QXA-2BCD"}"#, "No decision of this project"),
            ("reports:explain", #"{"phoneNumber":"+1"}"#, "Not a phone number"),
            ("reports:messages", #"{"days":36}"#, "days is 1 to 35."),
            ("reports:messages", #"{"days":0}"#, "days is 1"),
            ("reports:limits", "{}", "MISSING_PHONE_NUMBER"),
            ("reports:limits", #"{"network":"192.0.2"}"#, "Not an IP"),
            ("reports:audit", #"{"kind":"nonsense"}"#, "Unknown kind."), ("limits:reset", "{}", "MISSING_PHONE_NUMBER"),
            ("limits:reset", #"{"phoneNumber":"12"}"#, "INVALID_PHONE_NUMBER"),
            ("outbox:retry", #"{"id":"forged\nline"}"#, "Not the id"),
            ("outbox:retry", #"{"id":"1800000000000-0-other"}"#, "Not the id"),
        ] {
            let answer = try call(operation, json, token: token)
            #expect(
                answer.status == 400 && answer.errorMessage?.contains(message) == true,
                "\(operation) \(answer.text)"
            )
        }
        #expect(try !server.dialtone("audit").output.contains("forged"))
    }

    @Test("a report has the records of the command's --json, and the lines that the command prints")
    func records() throws {
        #expect(
            try server.dialtone("test-numbers", "set", "+16505550172", "314159", "--project", "demo-dialtone").isFine
        )
        let report = try call("reports:testNumbers", "{}", token: try server.adminToken()).json
        let printed = try server.dialtone("test-numbers", "list", "--project", "demo-dialtone", "--json").output
        #expect(report.objects("records").first == JSONObject(parsing: Array(printed.utf8.dropLast())))
        let line = try #require(report["lines"]?.elements?.first?.text)
        #expect(try server.dialtone("test-numbers", "list", "--project", "demo-dialtone").output == line + "\n")
        let reader = try call("reports:testNumbers", "{}", token: try server.adminToken(access: "read"))
        #expect(reader.text.contains("+16505550172") && !reader.text.contains("314159"))
    }

    @Test("a report on a full outbox counts all messages, lists some of them, and reads no others")
    func fullOutbox() throws {
        let server = try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"])
        let fill = """
            for due = 1, 20000 do
              local id = redis.call('XADD', KEYS[1], '*', 'queued', '1', 'padding', string.rep('x', 100))
              redis.call('ZADD', KEYS[1] .. ':waiting', due, id .. ' 1 main 0 - -')
            end
            """
        _ = server.redis.cli("EVAL", fill, "1", "dt:{demo-dialtone}:outbox")
        func bytesRead() throws -> Int {
            let statistics = server.redis.cli("INFO", "stats")
            return try #require(statistics.firstMatch(of: /total_net_output_bytes:(\d+)/).flatMap { Int($0.1) })
        }
        let token = try server.adminToken()
        let before = try bytesRead()
        let report = try answer("reports:outbox", "{}", token: token, on: server).json
        #expect(try bytesRead() - before < 200_000)
        let records = report.objects("records")
        #expect(records.count { $0.text("type") == "message" } == 50)
        #expect(records.first?["waiting"]?.integer == 20_000)
        #expect(report["lines"]?.elements?.contains { $0.text == "  and 19950 more" } == true)
        let printed = try server.dialtone("outbox").output
        #expect(printed.hasPrefix("20000 waiting or being sent;") && printed.contains("\n  and 18000 more\n"))
    }

    @Test("without the admin interface, neither the page nor a report exists")
    func disabled() throws {
        let other = try RunningServer(.production, workers: 1)
        for path in ["/operator", "/operator/operator.js", "/operator/projects"] {
            #expect(try other.get(path).status == 404)
        }
    }
}
