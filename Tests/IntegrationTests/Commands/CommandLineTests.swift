import Encodings
import Glibc
import Processes
import TestServers
import Testing

@testable import struct DialtoneAuth.APIClient

/// The command line: each error is one clear line and a non-zero exit status.
@Suite struct CommandLineTests {
    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> FinishedProcess {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return try FinishedProcess.run(
            RunningServer.binary,
            arguments,
            environment: ["PATH": path].merging(environment) { _, chosen in chosen }
        )
    }

    private func expectFailure(_ run: FinishedProcess, _ message: String) {
        #expect(run.status == .exited(1))
        #expect(run.errors == "dialtone: \(message)\n")
    }

    @Test("a key file is created once, readable only by its owner")
    func keysGenerate() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "keys.json")
        #expect(try run("keys", "generate", "--output", path).isFine)
        var information = stat()
        #expect(stat(path, &information) == 0)
        #expect(information.st_mode & 0o777 == 0o600)
        let before = readFile(path)
        expectFailure(try run("keys", "generate", "--output", path), "\(path): File exists")
        #expect(readFile(path) == before)
    }

    static let complete = [
        "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "k1,k2", "REDIS_ADDRESS": "unix:/run/redis.sock",
        "LISTEN": "systemd",
    ]

    @Test(
        "an error names an invalid setting and says what is expected",
        arguments: [
            ("PROJECTS", "", "DIALTONE_PROJECTS: not set, but required; for example my-project"),
            (
                "PROJECTS", "Acme",
                #"DIALTONE_PROJECTS: "Acme": Acme is not a name of 1 to 63 lowercase letters, digits and dashes"#
            ),
            ("PROJECT_ACME_API_KEYS", "", "DIALTONE_PROJECT_ACME_API_KEYS: not set, but required"),
            ("REDIS_ADDRESS", "", "DIALTONE_REDIS_ADDRESS: not set, but required; for example redis://127.0.0.1:6379"),
            (
                "REDIS_ADDRESS", "localhost",
                #"DIALTONE_REDIS_ADDRESS: "localhost" is not redis://host:port, rediss://host:port, "#
                    + "redis+sentinel://host:port,…/master, rediss+sentinel://host:port,…/master, "
                    + "redis+cluster://host:port,…, rediss+cluster://host:port,…, tcp:host:port or unix:/path"
            ),
            ("LISTEN", "9000", #"DIALTONE_LISTEN: "9000" is not systemd, unix:/path, tcp:host:port or fd:number"#),
            ("THREADS", "many", #"DIALTONE_THREADS: "many" is not a number from 1 to 512"#),
            ("ATTEMPTS_PER_SESSION", "0", #"DIALTONE_ATTEMPTS_PER_SESSION: "0" is not a number from 1 to 10"#),
            ("SESSION_SECONDS", "3600", #"DIALTONE_SESSION_SECONDS: "3600" is not a number from 60 to 600"#),
            ("MODE", "debug", #"DIALTONE_MODE: "debug" is not one of production, development"#),
            ("SHARDS", "0", #"DIALTONE_SHARDS: "0" is not a number from 1 to 4096"#),
        ]
    )
    func wrongSetting(name: String, value: String, message: String) throws {
        let folder = try TemporaryFolder()
        #expect(try run("keys", "generate", "--output", folder.path(of: "keys.json")).isFine)
        var settings = Self.complete
        settings["KEY_FILE"] = folder.path(of: "keys.json")
        settings[name] = value
        try folder.write(settings.map { "DIALTONE_\($0.key)=\($0.value)\n" }.joined(), to: "dialtone.conf")
        expectFailure(try run("config", "check", "--config", folder.path(of: "dialtone.conf")), message)
    }

    @Test(
        "an error names an invalid setting of an app or a challenge and says what is expected",
        arguments: [
            (
                "APPS", "ios,Other",
                #"APPS: "ios,Other": Other is not a name of 1 to 63 lowercase letters, digits and dashes"#
            ), ("APPS", "ios,ios", #"APPS: "ios,ios": ios is listed twice"#),
            ("APP_IOS_BUNDLE_ID", "", "APP_IOS_BUNDLE_ID: not set, but required; for example com.example.app"),
            (
                "APP_IOS_BUNDLE_ID", "com example",
                #"APP_IOS_BUNDLE_ID: "com example" is not letters, digits, dashes and dots"#
            ),
            ("APP_IOS_APP_ID", "1/2", #"APP_IOS_APP_ID: "1/2" is not a Google app ID, such as 1:123:ios:abc"#),
            (
                "APP_IOS_CLIENT_ID", "javascript:1",
                #"APP_IOS_CLIENT_ID: "javascript:1" is not a client ID, such as 123-abc.apps.googleusercontent.com"#
            ), ("APP_IOS_APNS_KEY_ID", "short", #"APP_IOS_APNS_KEY_ID: "short" is not ten letters and digits"#),
            ("APP_IOS_APNS_TEAM_ID", "", "APP_IOS_APNS_TEAM_ID: not set, but required; for example ABCDE67890"),
            (
                "APP_IOS_APNS_CERTIFICATE_FILE", "c.pem",
                #"APP_IOS_APNS_CERTIFICATE_FILE: "c.pem": DIALTONE_PROJECT_ACME_APP_IOS_APNS_KEY_FILE is set, too; "#
                    + "remove one of them"
            ), ("APPS", "ios,other", "APP_OTHER_BUNDLE_ID: not set, but required; for example com.example.app"),
            (
                "CHALLENGE_SITE_KEY", "key",
                #"CHALLENGE_SITE_KEY: "key": has no effect because DIALTONE_PROJECT_ACME_CHALLENGE is "#
                    + "proof-of-work; remove it"
            ),
            ("CHALLENGE", "turnstile", "CHALLENGE_SITE_KEY: not set, but required; for example site-key"),
        ]
    )
    func wrongAppSetting(name: String, value: String, message: String) throws {
        let folder = try TemporaryFolder()
        #expect(try run("keys", "generate", "--output", folder.path(of: "keys.json")).isFine)
        var settings = Self.complete
        settings["KEY_FILE"] = folder.path(of: "keys.json")
        settings.merge(
            [
                "PROJECT_ACME_APPS": "ios", "PROJECT_ACME_APP_IOS_BUNDLE_ID": "com.example.app",
                "PROJECT_ACME_APP_IOS_APNS_KEY_FILE": "key.p8", "PROJECT_ACME_APP_IOS_APNS_KEY_ID": "ABCDE12345",
                "PROJECT_ACME_APP_IOS_APNS_TEAM_ID": "ABCDE67890",
            ]
        ) { _, later in later }
        settings["PROJECT_ACME_\(name)"] = value
        try folder.write(settings.map { "DIALTONE_\($0.key)=\($0.value)\n" }.joined(), to: "dialtone.conf")
        expectFailure(
            try run("config", "check", "--config", folder.path(of: "dialtone.conf")),
            "DIALTONE_PROJECT_ACME_\(message)"
        )
    }

    @Test("misspelled, malformed and repeated settings are reported with their line")
    func wrongLines() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "dialtone.conf")
        let keys = folder.path(of: "keys.json")
        #expect(try run("keys", "generate", "--output", keys).isFine)
        let complete = Self.complete.merging(["KEY_FILE": keys]) { $1 }.map { "DIALTONE_\($0.key)=\($0.value)\n" }
            .joined()
        for (line, message) in [
            ("DIALTONE_SHARD=3", "DIALTONE_SHARD is not a setting; did you mean DIALTONE_SHARDS?"),
            ("shards: 3", "the line is not NAME=value"),
            ("DIALTONE_MODE=production", "DIALTONE_MODE is set twice; remove one of the lines"),
        ] {
            try folder.write("# comment\nDIALTONE_MODE=production\n\(line)\n\(complete)", to: "dialtone.conf")
            expectFailure(try run("config", "check", "--config", path), "\(path):3: \(message)")
        }
        try folder.write(complete, to: "dialtone.conf")
        expectFailure(
            try run(
                "config",
                "check",
                "--config",
                path,
                environment: ["DIALTONE_REDIS_ADRESS": "x", "DIALTONE_REDIS_ADDRESS": ""]
            ),
            "environment: DIALTONE_REDIS_ADRESS is not a setting; did you mean DIALTONE_REDIS_ADDRESS?"
        )
        try folder.write(
            "# comment\n\nDIALTONE_PROJECT_OLD_NAME=x\n\(complete)",
            to: "dialtone.conf"
        )
        expectFailure(
            try run("config", "check", "--config", path),
            "\(path):3: DIALTONE_PROJECT_OLD_NAME is not a setting of a listed project or app"
        )
        for command in [["config", "check"], ["worker"], ["dispatcher"]] {
            try folder.write("DIALTONE_THREADS=0\nDIALTONE_SHARDS=x\n\(complete)", to: "dialtone.conf")
            let run = try FinishedProcess.run(RunningServer.binary, command + ["--config", path], environment: [:])
            #expect(run.status == .exited(1))
            let faults = [
                #"DIALTONE_THREADS: "0" is not a number from 1 to 512"#,
                #"DIALTONE_SHARDS: "x" is not a number from 1 to 4096"#,
            ]
            if command.count == 2 {
                #expect(run.errors == faults.map { "dialtone: \($0)\n" }.joined())
            } else {
                // A service writes its log.
                let lines = run.errors.split(separator: "\n").compactMap { JSONObject(parsing: Array($0.utf8)) }
                #expect(lines.map { $0.text("message") } == faults)
                #expect(lines.allSatisfy { $0.text("level") == "critical" })
            }
        }
        expectFailure(try run("config", "check", "--config", "/nonexistent"), "/nonexistent: No such file or directory")
    }

    @Test("the environment takes precedence over the file, and a password is not shown")
    func environmentFirst() throws {
        let folder = try TemporaryFolder()
        #expect(try run("keys", "generate", "--output", folder.path(of: "keys.json")).isFine)
        var settings = Self.complete
        settings["KEY_FILE"] = folder.path(of: "keys.json")
        try folder.write(settings.map { "DIALTONE_\($0.key)=\($0.value)\n" }.joined(), to: "dialtone.conf")
        let check = try run(
            "config",
            "check",
            "--config",
            folder.path(of: "dialtone.conf"),
            environment: ["DIALTONE_REDIS_ADDRESS": "tcp:10.0.0.9:6379", "DIALTONE_REDIS_PASSWORD": "hunter2"]
        )
        #expect(check.isFine)
        #expect(check.output.contains("tcp:10.0.0.9:6379"))
        #expect(!(check.output + check.errors).contains("hunter2"))
    }

    @Test("an invalid key file is rejected with the name of its field and without showing a key")
    func wrongKeyFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "keys.json")
        var settings = Self.complete
        settings["KEY_FILE"] = path
        try folder.write(settings.map { "DIALTONE_\($0.key)=\($0.value)\n" }.joined(), to: "dialtone.conf")
        for (text, message) in [
            ("", "the key file is not a JSON object"), ("{\"version\":2}", "version: expected 1"),
            ("{\"version\":1}", "dataKeys: expected a list of at least one key"),
            (
                "{\"version\":1,\"dataKeys\":[{\"id\":1,\"key\":\"c2hvcnQ\"}]}",
                "dataKeys[0].key: expected 32 bytes in base64url"
            ),
        ] {
            try folder.write(text, to: "keys.json")
            expectFailure(
                try run("config", "check", "--config", folder.path(of: "dialtone.conf")),
                "\(path): \(message)"
            )
        }
    }

    @Test("test numbers are listed, changed and removed; there are at most ten, and only possible numbers")
    func testNumbers() throws {
        let server = try RunningServer(workers: 1)
        for index in 0..<10 {
            #expect(try server.dialtone("test-numbers", "set", fictionalNumber(index), "12345\(index)").isFine)
        }
        let eleventh = try server.dialtone("test-numbers", "set", "+16505550111", "123456")
        expectFailure(eleventh, "a project has at most 10 test numbers; remove one first")
        #expect(try server.dialtone("test-numbers", "set", fictionalNumber(3), "999999").isFine)
        #expect(try server.dialtone("test-numbers", "remove", fictionalNumber(0)).isFine)
        expectFailure(
            try server.dialtone("test-numbers", "remove", fictionalNumber(0)),
            "\"\(fictionalNumber(0))\": not a test number of demo-dialtone"
        )
        let short = try server.dialtone("test-numbers", "set", "+1650555010", "12345")
        #expect(short.errors.hasPrefix("dialtone: The value '12345' is invalid for '<code>': not a code of six digits"))
        expectFailure(
            try server.dialtone("test-numbers", "set", "+1650", "123456"),
            "\"+1650\": not a possible phone number in E.164 form"
        )
        let list = try server.dialtone("test-numbers", "list").output.split(separator: "\n")
        #expect(list.count == 9)
        #expect(list.contains("+16505550103  999999"))
    }

    @Test("the version is that of the changelog's first heading and of the client library")
    func version() throws {
        let changelog = readFile("\(RunningServer.packageFolder)/.github/CHANGELOG.md").split(separator: "\n")
        let heading = try #require(changelog.first { $0.hasPrefix("## ") })
        let version = heading.split(separator: " ")[1]
        #expect(try run("version").output == "\(version)\n")
        #expect(APIClient.version == "Dialtone/Swift/\(version)")
    }
}
