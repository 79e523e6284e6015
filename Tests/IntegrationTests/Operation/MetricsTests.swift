import Encodings
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// `GET /metrics`, which returns the counts of all processes of a machine from any of them.
@Suite(.timeLimit(.minutes(30))) struct MetricsTests {
    private static let openMetrics = "application/openmetrics-text; version=1.0.0"

    /// Returns the metrics once they fulfill a condition. A worker counts a request before it responds, but a
    /// dispatcher counts a message after the gateway has it.
    private func scrape(_ server: RunningServer, until isDone: (Scrape) -> Bool) throws -> Scrape {
        var last = try server.scrape()
        _ = eventually {
            last = (try? server.scrape()) ?? last
            return isDone(last)
        }
        return last
    }

    @Test("whichever worker responds, counts add up across workers and dispatchers, including those that were killed")
    func addUp() async throws {
        let deployment = try await MessageDeployment.start(settings: ["SENDS_PER_NUMBER_PER_HOUR": "1"], workers: 2)
        let server = deployment.server
        let dispatcher = try server.startDispatcher()
        _ = try inParallel(4) { thread in
            for number in 0..<3 {
                let phone = "+165055508\(thread)\(number)"
                let session = try server.openVerification(phone)
                let code = try server.code(of: session)
                #expect(try server.signIn(session, wrongCode(besides: code)).errorMessage == "INVALID_CODE")
                #expect(try server.signIn(session, code).status == 200)
                #expect(try server.sendVerificationCode(phone).status == 400)
            }
        }
        let sends = #"dialtone_requests_total{route="sendVerificationCode",status="2xx",result="ok"}"#
        let signIns = #"dialtone_requests_total{route="signInWithPhoneNumber",status="2xx",result="ok"}"#
        let finished = "dialtone_messages_total{"
        let first = try scrape(server) { $0.sum(finished) == 12 }
        #expect(first.answer.status == 200)
        #expect(first[sends] == 12 && first[signIns] == 12)
        #expect(
            first[#"dialtone_requests_total{route="signInWithPhoneNumber",status="4xx",result="INVALID_CODE"}"#] == 12
        )
        #expect(first[#"dialtone_rate_limits_exceeded_total{event="sends",scope="number"}"#] == 12)
        #expect(first.sum("dialtone_codes_verified_total{") == 12)
        #expect(first.sum(finished) == 12, "\(first.answer.text)")
        #expect(first[#"dialtone_request_duration_seconds_count{route="sendVerificationCode"}"#] == 24)
        #expect(first[#"dialtone_request_duration_seconds_bucket{route="sendVerificationCode",le="+Inf"}"#] == 24)
        #expect(first.sum(#"dialtone_redis_operation_duration_seconds_count{operation="answer-verification""#) == 24)
        #expect(first[#"dialtone_processes{role="worker"}"#] == 2)
        #expect(first[#"dialtone_processes{role="dispatcher"}"#] == 1)
        #expect(first[#"dialtone_gateway_breakers{gateway="first",state="closed"}"#] == 1)
        #expect(first["dialtone_redis_up"] == 1)

        // nginx keeps its connections, perhaps all to one worker, and opens another only for more concurrent requests.
        let answering = Mutex<Set<String>>([])
        var width = 0
        let bothAnswered = eventually {
            width = min(width + 4, 64)
            let scrapes = try? inParallel(width) { _ in
                if case .number(let id) = try server.get("/readyz?verbose").json["processId"] {
                    answering.withLock { _ = $0.insert(id) }
                }
                return try server.scrape()
            }
            for scrape in scrapes ?? [] { #expect(scrape.smaller(than: first) == []) }
            return answering.withLock { $0.count } == 2
        }
        #expect(bothAnswered)

        dispatcher.stop(SIGKILL)
        try #require(server.runningWorkers.first).stop(SIGKILL)
        let second = try scrape(server) { $0[#"dialtone_processes{role="worker"}"#] == 1 }
        #expect(second.smaller(than: first) == [])
        #expect(second[sends] == 12 && second[signIns] == 12)
        #expect(second.sum("dialtone_gateway_breakers{") == 0)
        #expect(second.sum(#"dialtone_processes{role="dispatcher"}"#) == 0)

        try server.startWorker()
        _ = try scrape(server) { $0[#"dialtone_processes{role="worker"}"#] == 2 }
        _ = try server.openVerification("+16505550890")
        let third = try server.scrape()
        #expect(third[sends] == 13)
        #expect(third[#"dialtone_process_starts_total{role="worker"}"#] == 3)
        #expect(third.smaller(than: second) == [])
        let files = try FinishedProcess.run("ls", [server.folder.path(of: "metrics")]).output
        #expect(files.split(separator: "\n").count { $0.hasPrefix("v1-process-") } == 2)
    }

    @Test("no count decreases and no answered request is missing while workers are killed under load")
    func killedUnderLoad() throws {
        let server = try RunningServer(workers: 3)
        let answered = Atomic(0)
        let isOver = Atomic(false)
        let faults = try inParallel(4) { thread -> [String] in
            var faults: [String] = []
            switch thread {
            case 0:
                defer { isOver.store(true, ordering: .sequentiallyConsistent) }
                for _ in 0..<6 {
                    let before = answered.load(ordering: .sequentiallyConsistent)
                    _ = eventually { answered.load(ordering: .sequentiallyConsistent) > before + 20 }
                    server.runningWorkers.first?.stop(SIGKILL)
                    try server.startWorker()
                }
            case 1:
                var last: Scrape?
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    guard let next = try? server.scrape(), next.answer.status == 200 else { continue }
                    if let last { faults += next.smaller(than: last) }
                    last = next
                }
            default:
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    // A worker that is killed may leave requests without a response.
                    guard let answer = try? server.get("/v1/projects?key=any"), answer.status == 200 else { continue }
                    answered.add(1, ordering: .sequentiallyConsistent)
                }
            }
            return faults
        }
        #expect(faults.flatMap { $0 } == [])
        let requests = try server.scrape()[#"dialtone_requests_total{route="projects",status="2xx",result="ok"}"#]
        #expect(requests >= Double(answered.load(ordering: .sequentiallyConsistent)))
        #expect(requests > 100)
    }

    @Test("promtool and Prometheus accept the metrics, the rules and every name in rules and dashboard")
    func prometheus() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        try server.startDispatcher()
        _ = try server.signInFresh("+16505550101")
        let metrics = try scrape(server) { $0.sum("dialtone_messages_accepted_total") > 0 }
        #expect(metrics.answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        try server.folder.write(metrics.answer.text, to: "metrics.txt")
        let path = server.folder.path(of: "metrics.txt")
        let checked = try FinishedProcess.run("sh", ["-c", "promtool check metrics < \(path)"])
        #expect(checked.status == .exited(0), "\(checked.output + checked.errors)")
        #expect(checked.output + checked.errors == "")

        let files = ["dialtone-alerts.yml", "dialtone-dashboard.json"].map {
            "\(RunningServer.packageFolder)/systemd/\($0)"
        }
        let rules = try FinishedProcess.run("promtool", ["check", "rules", files[0]])
        #expect(rules.status == .exited(0), "\(rules.output + rules.errors)")
        try checkAlerts(of: files[0])
        for file in files {
            let text = readFile(file)
            let used = Set(text.matches(of: /dialtone_[a-z_]+/).map { String($0.output) })
            #expect(used.count > 15)
            #expect(used.subtracting(metrics.names) == [], "\(file)")
        }
        guard case .object = try JSONValue.parse(Array(readFile(files[1]).utf8)) else {
            Issue.record("the dashboard is not a JSON object")
            return
        }
        try checkScrapes(by: server, files[0])
    }

    /// Evaluates the rules for the series in `alert-rules.yml`, which has cases for each alert.
    private func checkAlerts(of rules: String) throws {
        let path = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/alert-rules.yml"
        let tested = try FinishedProcess.run("promtool", ["test", "rules", path])
        #expect(tested.status == .exited(0), "\(tested.output + tested.errors)")
        let cases = readFile(path)
        for alert in readFile(rules).matches(of: /- alert: (\w+)/).map(\.1) {
            #expect(cases.contains("alertname: \(alert)\n"), "\(alert) has no case in \(path)")
        }
    }

    /// Has a real Prometheus scrape in OpenMetrics and evaluate the rules.
    private func checkScrapes(by server: RunningServer, _ rules: String) throws {
        let openMetrics = try server.scrape(accept: Self.openMetrics).answer
        #expect(
            openMetrics.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
        )
        #expect(openMetrics.text.hasSuffix("\n# EOF\n"))
        let configuration = """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["\(rules)"]
            scrape_configs:
              - job_name: dialtone
                static_configs: [{targets: ["127.0.0.1:\(server.port)"]}]
            """
        try server.folder.write(configuration, to: "prometheus.yml")
        let port = FreePort.next()
        let prometheus = try ChildProcess.start(
            "prometheus",
            [
                "--config.file=\(server.folder.path(of: "prometheus.yml"))", "--web.listen-address=127.0.0.1:\(port)",
                "--storage.tsdb.path=\(server.folder.path(of: "tsdb"))", "--log.level=warn",
            ],
            output: .file(path: server.folder.path(of: "prometheus.log")),
            errors: .file(path: server.folder.path(of: "prometheus.log"))
        )
        defer { prometheus.stop(SIGKILL) }
        let client = HTTPClient(port: port)
        func query(_ path: String) -> String { (try? client.request("GET", "/api/v1/\(path)").text) ?? "" }
        let isScraped = eventually(within: .seconds(60)) {
            query("query?query=dialtone_process_starts_total").contains(#""role":"worker""#)
        }
        #expect(isScraped, "\(query("targets")) \(server.folder.read("prometheus.log"))")
        #expect(query("targets").contains(#""lastError":"""#))
        let isEvaluated = eventually(within: .seconds(60)) {
            let rules = query("rules")
            return rules.contains(#""health":"ok""#) && !rules.contains(#""health":"unknown""#)
        }
        #expect(isEvaluated && !query("rules").contains(#""health":"err""#), "\(query("rules"))")
    }

    @Test("the counters of alerts on single events begin at 0")
    func beginning() throws {
        let samples = try RunningServer(workers: 1).scrape().answer.text.split(separator: "\n")
        for (event, scope) in [
            ("sends", "project"), ("sign-ups", "project"), ("custom-token sign-ups", "project"),
        ] {
            let series = #"dialtone_rate_limits_exceeded_total{event="\#(event)",scope="\#(scope)"}"#
            #expect(samples.contains { $0 == "\(series) 0" })
        }
    }

    @Test("without a usable folder, workers serve as usual, and a scrape fails with the reason")
    func unusableFolder() throws {
        let server = try RunningServer(workers: 1, settings: ["METRICS_FOLDER": "/proc/dialtone"])
        #expect(try server.signInFresh("+16505550101").status == 200)
        let answer = try server.scrape().answer
        #expect(answer.status == 503)
        #expect(answer.text.contains("DIALTONE_METRICS_FOLDER"))
        #expect(server.log.contains("metrics are not shared"))
        #expect(server.log.contains("cannot create /proc/dialtone"))
        let readiness = try server.get("/readyz?verbose")
        #expect(readiness.status == 200)
        #expect(readiness.text.contains(#""name":"metrics","status":"failed""#))
    }

    @Test("on the admin listener, /readyz?verbose says why a worker is not ready")
    func readiness() throws {
        let server = try RunningServer(workers: 1)
        let ready = try server.get("/readyz?verbose")
        #expect(ready.status == 200)
        for check in ["serving", "redis", "deployment", "metrics"] {
            #expect(ready.text.contains(#"{"name":"\#(check)","status":"ok"}"#), "\(ready.text)")
        }
        _ = server.redis.cli("SHUTDOWN", "NOSAVE")
        #expect(eventually { (try? server.get("/readyz").status) == 503 })
        let failed = try server.get("/readyz?verbose")
        #expect(failed.status == 503)
        #expect(failed.text.contains(#""status":"not ready""#))
        #expect(failed.text.contains(#""name":"redis","status":"failed","reason":"Redis is unavailable"#))
        #expect(try !server.get("/readyz").text.contains("checks"))
        #expect(try server.scrape()["dialtone_redis_up"] == 0)
    }

    @Test("while Redis hangs, /readyz?verbose gives the reason before nginx's timeout")
    func hangingRedis() throws {
        let defaults = ["REDIS_CONNECT_TIMEOUT_MILLISECONDS": "500", "REDIS_COMMAND_TIMEOUT_MILLISECONDS": "1000"]
        let server = try RunningServer(workers: 1, settings: defaults)
        #expect(try server.get("/readyz?verbose").status == 200)
        server.redis.pause()
        defer { server.redis.resume() }
        // A loaded machine may be too slow for nginx's two seconds once.
        var text = ""
        let isExplained = eventually {
            text = (try? server.get("/readyz?verbose").text) ?? text
            return text.contains(#""name":"redis","status":"failed","reason":""#)
                && text.contains(#"{"name":"deployment","status":"not checked"}"#)
        }
        #expect(isExplained, "\(text)")
    }
}
