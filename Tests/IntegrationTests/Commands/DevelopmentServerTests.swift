import Glibc
import Processes
import TestServers
import Testing

/// `dialtone dev` from start to exit.
@Suite struct DevelopmentServerTests {
    private static let nginxFolder = "\(RunningServer.packageFolder)/nginx"

    private func start(
        _ folder: TemporaryFolder,
        port: UInt16,
        _ more: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return try ChildProcess.start(
            RunningServer.binary,
            ["dev", "--port", String(port), "--nginx-folder", Self.nginxFolder] + more,
            environment: ["PATH": path, "TMPDIR": folder.path].merging(environment) { _, chosen in chosen },
            output: .file(path: folder.path(of: "output")),
            errors: .file(path: folder.path(of: "errors"))
        )
    }

    /// Returns what is left in the folder that `dialtone dev` uses, except our two files.
    private func leftovers(_ folder: TemporaryFolder) throws -> [Substring] {
        try FinishedProcess.run("ls", [folder.path]).output.split(separator: "\n").filter {
            !["output", "errors"].contains($0)
        }
    }

    @Test("dialtone dev starts, responds, and leaves nothing behind after Ctrl-C", arguments: [SIGINT, SIGTERM])
    func startAndStop(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(folder, port: port)
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        #expect(folder.read("output").contains("http://127.0.0.1:\(port)/"))
        let client = HTTPClient(port: port)
        #expect(try client.request("GET", "/").status == 200)
        let body = Array(#"{"phoneNumber":"+16505550101"}"#.utf8)
        #expect(try client.request("POST", "/v1/accounts:sendVerificationCode?key=any", body: body).status == 200)
        let children = try FinishedProcess.run("pgrep", ["-P", String(server.processID)]).output.split(separator: "\n")
        #expect(children.count == 4)

        server.send(signal)
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(0))
        #expect(try leftovers(folder) == [])
        for child in children { #expect(Int32(child).flatMap(processState) == nil) }
    }

    private func serves(_ address: String, _ port: UInt16) throws -> Bool {
        let url = "http://\(address):\(port)/readyz"
        return try FinishedProcess.run("curl", ["-gfsS", "--noproxy", "*", url]).status == .exited(0)
    }

    @Test("without --listen, only loopback is served, also over IPv6; with it, another address, too, and a warning")
    func addresses() throws {
        let hasIPv6 = try FinishedProcess.run("cat", ["/proc/net/if_inet6"]).output.contains(" lo\n")
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(folder, port: port)
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        #expect(try serves("127.0.0.1", port) && serves("[::1]", port) == hasIPv6)
        #expect(try !serves("127.0.0.2", port) && !folder.read("output").contains("WARNING"))
        #expect(folder.read("output").contains(#"Firebase.auth.useEmulator("10.0.2.2", \#(port))"#))
        server.stop(patience: .seconds(60))

        let open = try start(folder, port: port, ["--listen", "127.0.0.2"])
        defer { open.stop() }
        #expect(eventually { folder.read("output").contains("WARNING: anyone who can connect to 127.0.0.2") })
        #expect(folder.read("output").contains("Try it      http://127.0.0.2:\(port)/"))
        #expect(folder.read("output").contains(#"Firebase.auth.useEmulator("127.0.0.2", \#(port))"#))
        #expect(try serves("127.0.0.1", port) && serves("127.0.0.2", port) && !serves("127.0.0.3", port))
    }

    @Test("a container listens on all addresses")
    func allAddresses() throws {
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(folder, port: port, ["--listen", "0.0.0.0"])
        defer { server.stop() }
        #expect(eventually { folder.read("output").contains("Try it      http://127.0.0.1:\(port)/") })
        #expect(try serves("127.0.0.3", port))
    }

    @Test("an address that is none, or not this machine's, is reported in one line")
    func wrongAddress() throws {
        let folder = try TemporaryFolder()
        let foreign = try start(folder, port: FreePort.next(), ["--listen", "203.0.113.7"])
        #expect(foreign.waitForExit(atMost: .seconds(60)) == .exited(1))
        #expect(folder.read("errors") == "dialtone: --listen 203.0.113.7: not an address of this machine\n")
        let malformed = try start(folder, port: FreePort.next(), ["--listen", "wlan0"])
        #expect(malformed.waitForExit(atMost: .seconds(60)) == .exited(64))
        #expect(folder.read("errors").contains(#"--listen "wlan0": not an IP address, such as 192.168.1.20"#))
        #expect(try leftovers(folder) == [])
    }

    @Test("developers do not reach rate limits: not per number, not per network, not with wrong codes")
    func wideOpen() throws {
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(folder, port: port)
        defer { server.stop() }
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        let client = HTTPClient(port: port)
        for index in 0..<160 {
            // Two numbers, and a different API key for each call, so that each call comes from another client.
            let body = Array(#"{"phoneNumber":"+1650555010\#(index % 2)"}"#.utf8)
            let answer = try client.request("POST", "/v1/accounts:sendVerificationCode?key=any\(index)", body: body)
            #expect(answer.status == 200)
        }
        let body = Array(#"{"phoneNumber":"+16505550102"}"#.utf8)
        for round in 0..<8 {
            let sent = try client.request("POST", "/v1/accounts:sendVerificationCode?key=any", body: body)
            let session = try #require(sent["sessionInfo"])
            for attempt in 0..<5 {
                let answer = Array(#"{"sessionInfo":"\#(session)","code":"x\#(round)\#(attempt)"}"#.utf8)
                let checked = try client.request("POST", "/v1/accounts:signInWithPhoneNumber?key=any", body: answer)
                #expect(checked.errorMessage == "INVALID_CODE")
            }
        }
    }

    @Test("settings in the environment reach the workers, and test suites may try many wrong passwords")
    func environment() throws {
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(
            folder,
            port: port,
            ["--unsigned-tokens"],
            environment: ["DIALTONE_PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "disabled"]
        )
        defer { server.stop() }
        #expect(eventually { folder.read("output").contains("ID TOKENS ARE NOT SIGNED") })
        let client = HTTPClient(port: port)
        func post(_ operation: String, _ json: String) throws -> HTTPAnswer {
            try client.request("POST", "/v1/accounts:\(operation)?key=any", body: Array(json.utf8))
        }
        #expect(try post("signUp", "{}").errorMessage == "ADMIN_ONLY_OPERATION")
        let right = #"{"email":"ada@example.com","password":"correct horse"}"#
        #expect(try post("signUp", right).status == 200)
        for attempt in 0..<15 {
            let wrong = #"{"email":"ada@example.com","password":"wrong \#(attempt)"}"#
            #expect(try post("signInWithPassword", wrong).errorMessage == "INVALID_PASSWORD")
        }
        let signedIn = try post("signInWithPassword", right)
        // {"alg":"none"…, so the signature is empty.
        #expect(signedIn["idToken"]?.hasPrefix("eyJhbGciOiJub25lI") == true && signedIn["idToken"]?.last == ".")
    }

    @Test("a port in use is reported in one line")
    func takenPort() throws {
        let server = try RunningServer(workers: 1)
        let folder = try TemporaryFolder()
        let second = try start(folder, port: server.port)
        #expect(second.waitForExit(atMost: .seconds(60)) == .exited(1))
        #expect(
            folder.read("errors")
                == "dialtone: port \(server.port) is in use by another program; choose another one with --port\n"
        )
        #expect(try leftovers(folder) == [])
    }

    @Test("a missing tool is reported in one line")
    func missingTool() throws {
        let folder = try TemporaryFolder()
        let server = try start(folder, port: FreePort.next(), environment: ["PATH": "/nonexistent"])
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(1))
        let message = "dialtone: redis-server is not installed (apt-get install redis-server nginx)\n"
        #expect(folder.read("errors") == message)
        #expect(try leftovers(folder) == [])
    }

    @Test("missing nginx files are reported in one line")
    func missingFiles() throws {
        let folder = try TemporaryFolder()
        let empty = try TemporaryFolder()
        let server = try start(folder, port: FreePort.next(), ["--nginx-folder", empty.path])
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(1))
        let errors = folder.read("errors").split(separator: "\n").filter { $0.hasPrefix("dialtone:") }
        #expect(errors == ["dialtone: \(empty.path)/dialtone-http.conf: No such file or directory"])
        #expect(try leftovers(folder) == [])
    }

    @Test(
        "an unreadable site is reported in one line before anything starts",
        arguments: [
            ("missing.conf", "No such file or directory"), ("missing/site.conf", "No such file or directory"),
            ("a\nb", "No such file or directory"), (".", "Is a directory"), ("", "No such file or directory"),
        ]
    )
    func unreadableSite(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        let sites = try TemporaryFolder()
        let path = name.isEmpty ? "" : sites.path(of: name)
        let server = try start(folder, port: FreePort.next(), ["--site", path])
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(1))
        #expect(folder.read("errors") == "dialtone: --site \(path.debugDescription): \(reason)\n")
        #expect(folder.read("output") == "")
        #expect(try leftovers(folder) == [])
    }

    @Test(
        "if a process exits unexpectedly, all processes stop, and one line names it",
        arguments: ["redis-server", "nginx"]
    )
    func failedChild(name: String) throws {
        let folder = try TemporaryFolder()
        let server = try start(folder, port: FreePort.next())
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        let child = try FinishedProcess.run("pgrep", ["-P", String(server.processID), name]).output.split(
            separator: "\n"
        )
        kill(try #require(child.first.flatMap { Int32($0) }), SIGKILL)
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(1))
        #expect(folder.read("errors").split(separator: "\n").last?.hasPrefix("dialtone: \(name) ended") == true)
        #expect(try leftovers(folder) == [])
    }

    @Test("environment settings of another deployment are ignored")
    func foreignSettings() throws {
        let folder = try TemporaryFolder()
        let foreign = ["DIALTONE_REDIS_ADDRESS": "tcp:127.0.0.1:1", "DIALTONE_MODE": "production"]
        let server = try start(folder, port: FreePort.next(), environment: foreign)
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        #expect(server.stop(patience: .seconds(60)) == .exited(0))
    }

    @Test(
        "an invalid project id is reported in one line",
        arguments: ["Demo", "a b", "a\nDIALTONE_SHARDS=1", ""]
    )
    func wrongProject(id: String) throws {
        let folder = try TemporaryFolder()
        let server = try start(folder, port: FreePort.next(), ["--project", id])
        #expect(server.waitForExit(atMost: .seconds(60)) == .exited(1))
        let message = "--project \(id.debugDescription): not 1 to 63 lowercase letters, digits and dashes"
        #expect(folder.read("errors") == "dialtone: \(message)\n")
    }

    @Test("if dialtone dev is killed, its processes exit, too")
    func killed() throws {
        let folder = try TemporaryFolder()
        let port = FreePort.next()
        let server = try start(folder, port: port)
        #expect(eventually { folder.read("output").contains("Dialtone is ready.") })
        let children = try FinishedProcess.run("pgrep", ["-P", String(server.processID)]).output.split(separator: "\n")
        #expect(children.count == 4)
        server.stop(SIGKILL)
        #expect(eventually { children.allSatisfy { child in Int32(child).flatMap(processState) == nil } })
        #expect(throws: HTTPClient.Failure.self) { try HTTPClient(port: port).request("GET", "/healthz") }
    }
}
