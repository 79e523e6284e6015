import Encodings
import Processes
import TestServers
import Testing

/// `dialtone audit`, which shows the events of accounts.
@Suite(.timeLimit(.minutes(30))) struct AuditCommandTests {
    private func lines(_ output: String) -> [String] { output.split(separator: "\n").map(String.init) }

    @Test("a reference leads to the changes of its request, and a number to its account")
    func references() throws {
        let server = try RunningServer(workers: 2)
        let signedIn = try server.signInFresh("+16505550191")
        let uid = try #require(signedIn["localId"])
        let idToken = try #require(signedIn["idToken"])
        let linked = try server.post(
            "/v1/accounts:signUp",
            #"{"idToken":"\#(idToken)","email":"ada@example.com","password":"correct horse"}"#
        )
        let reference = try #require(linked.headers["dialtone-reference"])
        let ofRequest = try server.dialtone("audit", "--reference", reference.lowercased())
        #expect(
            lines(ofRequest.output).map { $0.split(separator: " ").dropFirst().first } == [
                "link", "password-change", "tokens-revoked",
            ]
        )
        let ofNumber = lines(try server.dialtone("audit", "--phone", "+16505550191").output)
        #expect(ofNumber.count == 1)
        let parts = try #require(ofNumber.first).split(separator: "  ").map(String.init)
        #expect(parts[0].hasSuffix("Z sign-up phone") && parts[1] == "demo-dialtone/\(uid)" && parts[2] == "by user")
        #expect(parts[3] == "reference \(try #require(signedIn.headers["dialtone-reference"]))")
        #expect(parts[4].hasPrefix("network ") && parts[5].hasPrefix("phone:"))
        let ofAccount = try server.dialtone("audit", "--account", uid, "--kind", "sign-up", "link", "--json").output
        let kinds = try lines(ofAccount).map { line in
            guard case .object(let event) = try JSONValue.parse(Array(line.utf8)) else { return "" }
            return event.text("account") == uid ? event.text("kind") : ""
        }
        #expect(kinds == ["sign-up", "link"])
        #expect(lines(try server.dialtone("audit", "--since", "1h").output).count == 4)
        #expect(try server.dialtone("audit", "--since", "2100-01-31T08:15:30Z").output == "")
        for secret in ["6505550191", "example.com", "127.0.0.1", idToken] { #expect(!ofAccount.contains(secret)) }
    }

    @Test("events of an operator's changes name the token that permitted them")
    func administration() throws {
        let server = try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"])
        let token = try server.adminToken("backend")
        let answer = try server.post(
            "/v1/projects/demo-dialtone/accounts",
            #"{"localId":"ada","phoneNumber":"+16505550194"}"#,
            headers: [("Authorization", "Bearer \(token)")]
        )
        #expect(answer.status == 200)
        let reference = try #require(answer.headers["dialtone-reference"])
        let told = lines(try server.dialtone("audit", "--reference", reference).output)
        #expect(told.map { $0.contains("demo-dialtone/ada  by administrator ") } == [true, true])
        let list = try server.dialtone("admin-tokens", "list", "--project", "demo-dialtone").output
        let id = try #require(told.first?.split(separator: "by administrator ").last?.prefix { $0 != " " })
        #expect(id.count == 12 && list.contains(id))
    }

    @Test("a uid or a name with line separators and terminal controls forges no line of a command's output")
    func controlCharacters() throws {
        let server = try RunningServer(workers: 1)
        let (forgedEvent, forgedField) = ("2026-01-31T08:15:30Z account-deleted", "disabled        yes")
        let user = JSONWriter.object { json in
            json.member("localId", "eve\u{2028}\(forgedEvent)")
            json.member("displayName", "\u{1B}[2JEve\u{2028}\u{202E}\n\(forgedField)")
        }
        let created = try server.post(
            "/v1/projects/demo-dialtone/accounts",
            String(decoding: user, as: UTF8.self),
            headers: [("Authorization", "Bearer owner")]
        )
        #expect(created.status == 200, "\(created.text)")
        let events = lines(try server.dialtone("audit").output)
        #expect(events.count == 1 && events[0].contains(#"demo-dialtone/eve\u2028\#(forgedEvent)  by "#), "\(events)")
        let shown = lines(try server.dialtone("users", "show", "eve\u{2028}\(forgedEvent)").output)
        #expect(shown.first == #"uid             eve\u2028\#(forgedEvent)"#)
        #expect(shown.contains(#"name            \u001b[2JEve\u2028\u202e\u000a\#(forgedField)"#), "\(shown)")
        #expect(!shown.contains(forgedField))
    }

    @Test("events of all workers are printed as they happen")
    func following() throws {
        let server = try RunningServer(workers: 2)
        let first = try server.signInFresh("+16505550192")
        let output = server.folder.path(of: "audit")
        let audit = try ChildProcess.start(
            RunningServer.binary,
            ["audit", "--follow", "--json", "--config", server.configuration],
            output: .file(path: output),
            errors: .file(path: output)
        )
        defer { audit.stop() }
        #expect(eventually { lines(server.folder.read("audit")).count == 1 })
        var uids = [try #require(first["localId"])]
        for _ in 0..<5 { uids.append(try #require(try server.post("/v1/accounts:signUp", "{}")["localId"])) }
        #expect(eventually { lines(server.folder.read("audit")).count == 6 })
        let told = server.folder.read("audit")
        for uid in uids { #expect(told.contains(#""account":"\#(uid)""#)) }
    }

    @Test("an invalid option, or a disabled audit log, is reported")
    func faults() throws {
        let server = try RunningServer(workers: 1, settings: ["AUDIT_DAYS": "0"])
        _ = try server.signInFresh("+16505550193")
        #expect(try server.dialtone("audit").errors.contains("the audit log is off: DIALTONE_AUDIT_DAYS is 0"))
        #expect(server.redis.cli("KEYS", "*:audit") == "")
        let other = try RunningServer(workers: 1)
        for (arguments, error) in [
            (["--reference", "short"], "'short' is invalid for '--reference <reference>': not a"),
            (["--since", "soon"], "'soon' is invalid for '--since <since>': not a period"),
            (["--phone", "nonsense"], "\"nonsense\": not a possible phone number in E.164"),
            (["--kind", "nonsense"], "not a kind of event"),
            (["--project", "nonsense"], "\"nonsense\": no such project in the settings"),
        ] {
            let run = try FinishedProcess.run(
                RunningServer.binary,
                ["audit", "--config", other.configuration] + arguments
            )
            #expect(run.status != .exited(0) && run.errors.contains(error), "\(arguments)")
        }
    }
}
