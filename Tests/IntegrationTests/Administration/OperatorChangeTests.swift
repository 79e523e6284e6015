import ArgumentParser
import Encodings
import PhoneNumbers
import Processes
import TestServers
import Testing

@testable import dialtone

/// The audit log of operators' changes that are not about one account.
@Suite struct OperatorChangeTests {
    /// Each command that changes something other than an account, with an example that has an effect, in the order in
    /// which they are run. `KEY` is the id of the first signing key, `TOKEN` that of an admin token, `DATA` a file with
    /// numbering data.
    static let changes: [(command: String, example: [String])] = [
        ("test-numbers set", ["+16505550140", "271828"]),
        ("test-numbers remove", ["+16505550140"]),
        ("admin-tokens create", ["back end"]),
        ("admin-tokens revoke", ["TOKEN"]),
        ("limits reset", ["+16505550141"]),
        ("sms forgive", ["US"]),
        ("outbox retry", ["--all"]),
        ("outbox drop", ["--all"]),
        ("push-receipts revoke", ["--app", "ios"]),
        ("config reset", []),
        ("keys rotate", ["--at-once"]),
        ("keys retire", ["KEY", "--force"]),
        ("keys rotate", ["--index"]),
        ("numbering update", ["DATA", "--allow-older"]),
        ("keys move-index", []),
    ]

    /// Commands that change nothing, only accounts (which have events of their own), or only files that are not in use,
    /// and `redis adopt`, which has a test of its own.
    static let others: Set = [
        "dev", "worker", "dispatcher", "explain", "audit", "version", "outbox show", "doctor",
        "numbering show", "redis adopt", "backup", "restore",
        "config check", "config example", "config show", "keys generate", "keys list", "test-numbers list",
        "admin-tokens list", "limits show", "sms report", "sms test", "mail test",
        "users list", "users create", "users set", "users import", "users export", "users show", "users disable",
        "users enable", "users revoke",
        "users end-session", "users delete", "users mfa list", "users mfa withdraw",
    ]

    /// Commands that have no option for a project.
    private static let commandsOfDeployment: Set = ["keys", "numbering"]

    private static func leaves(_ command: any ParsableCommand.Type, _ path: [String] = []) -> [String] {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return [path.joined(separator: " ")] }
        return subcommands.flatMap { leaves($0, path + [$0._commandName]) }
    }

    @Test("each command is known to change nothing, only accounts, or to be in the table of audited commands")
    func complete() {
        #expect(Set(Self.leaves(Dialtone.self)) == Self.others.union(Self.changes.map(\.command)))
    }

    @Test("each command that changes the deployment has an event with its operator, and no secret")
    func commands() throws {
        let folder = try TemporaryFolder()
        for name in ["numbering.tsv", "new.tsv"] {
            try folder.write(String(decoding: NumberingData.builtIn.file, as: UTF8.self), to: name)
        }
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "ADMIN_ROUTES": "enabled",
                "NUMBERING_FILE": folder.path(of: "numbering.tsv"),
                "PROJECT_DEMO_DIALTONE_APPS": "ios",
                "PROJECT_DEMO_DIALTONE_APP_IOS_BUNDLE_ID": "com.example.demo",
            ]
        )
        let key = try server.dialtone("keys", "list").output.split(separator: " ").first.map(String.init)
        let change = try HTTPClient(port: server.port).request(
            "PATCH",
            "/admin/v2/projects/demo-dialtone/config?updateMask=mfa.state,blockingFunctions",
            headers: [("Content-Type", "application/json"), ("Authorization", try server.adminBearer())],
            body: Array(
                """
                {"mfa":{"state":"ENABLED"},"blockingFunctions":{"triggers":{"beforeSignIn":\
                {"functionUri":"https://hooks.example.com/in?token=hush"}}}}
                """.utf8
            )
        )
        #expect(change.status == 200, "\(change.text)")
        func log() throws -> [String] {
            try server.dialtone("audit", "--kind", "operator-change").output.split(separator: "\n").map(String.init)
        }
        let overHTTP = try #require(try log().last)
        #expect(overHTTP.contains(#"config mfa.state: as in the settings -> "ENABLED""#))
        #expect(overHTTP.contains("as in the settings -> https://hooks.example.com/…"))
        #expect(!overHTTP.contains("hush"))
        #expect(overHTTP.contains("by administrator ") && overHTTP.contains("network 127.0.0.1"))
        #expect(overHTTP.contains("reference "))

        let steps: [(members: String, events: [String])] = [
            (#""+16505550143":"271828""#, ["test-numbers set +•••••••0143 "]),
            (
                #""+16505550143":"161803","+16505550144":"314159""#,
                ["0143, another code ", "test-numbers set +•••••••0144 "]
            ),
            (#""+16505550144":"314159""#, ["test-numbers remove +•••••••0143 "]),
        ]
        for step in steps {
            let set = try HTTPClient(port: server.port).request(
                "PATCH",
                "/admin/v2/projects/demo-dialtone/config?updateMask=signIn.phoneNumber.testPhoneNumbers",
                headers: [("Content-Type", "application/json"), ("Authorization", try server.adminBearer())],
                body: Array("{\"signIn\":{\"phoneNumber\":{\"testPhoneNumbers\":{\(step.members)}}}}".utf8)
            )
            #expect(set.status == 200, "\(set.text)")
            let events = Array(try log().suffix(step.events.count))
            try #require(events.count == step.events.count)
            for (event, text) in zip(events, step.events) { #expect(event.contains(text)) }
        }

        var token = ""
        for (command, example) in Self.changes {
            let before = try log().count
            if command == "keys move-index" { for worker in server.runningWorkers { worker.stop() } }
            let values = ["KEY": key ?? "", "TOKEN": token, "DATA": folder.path(of: "new.tsv")]
            let arguments = example.map { values[$0] ?? $0 }
            let isOfDeployment = Self.commandsOfDeployment.contains(String(command.prefix { $0 != " " }))
            let project = isOfDeployment ? [] : ["--project", "demo-dialtone"]
            let run = try server.dialtone(command.split(separator: " ").map(String.init) + arguments + project)
            #expect(run.isFine, "\(command): \(run.errors)")
            if command == "admin-tokens create" { token = String(run.errors.prefix { $0 != ":" }) }
            let new = try log().dropFirst(before)
            #expect(new.count == 1, "\(command): \(new)")
            let event = new.first ?? ""
            #expect(event.contains("operator-change \(command.split(separator: " ")[0])"), "\(event)")
            #expect(event.contains("by command-line ") && event.contains("@"), "\(event)")
            #expect(!event.contains("271828") && !event.contains("+16505550140"))
        }
        #expect(try log().contains { $0.contains("keys retire \(key ?? "")  deployment") })
    }

    @Test("the adoption of an empty Redis is the first event of its log")
    func adoption() throws {
        let server = try RunningServer(.production, workers: 1)
        server.redis.cli("FLUSHALL")
        for _ in 0..<2 { #expect(try server.dialtone("redis", "adopt").isFine) }
        let log = try server.dialtone("audit").output.split(separator: "\n")
        #expect(log.count == 1, "\(log)")
        #expect(log.first?.contains("operator-change redis adopt  deployment  by command-line ") == true, "\(log)")
    }
}
