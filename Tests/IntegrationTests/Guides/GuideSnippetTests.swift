import APNsStandIn
import Glibc
import Processes
import TestBrowser
import TestServers
import Testing

/// Code that back ends copy from the guides, run as the guides show it: token verifiers, and redirects of Admin SDKs.
@Suite struct GuideSnippetTests {
    /// A verifier from the guide, and how to run it.
    struct Verifier: CustomTestStringConvertible, Sendable {
        let heading: String
        let language: String
        let file: String
        /// Code appended to the snippet: prints the subject of each argument, or that the argument was refused.
        let caller: String
        /// The Debian package for Node. Modules are not searched for in Debian's folder.
        var nodePackage: String?
        var testDescription: String { heading }

        static let python = """

            import sys

            for token in sys.argv[1:]:
                try:
                    print(verify(token)["sub"])
                except Exception as error:
                    print("refused:", error)
            """
        static let node = """

            for (const token of process.argv.slice(2)) {
              console.log(await verify(token).then((claims) => claims.sub, (error) => "refused: " + error.message));
            }
            """
        static let ruby = """

            ARGV.each do |token|
              puts verify(token)["sub"]
            rescue JWT::DecodeError => error
              puts "refused: #{error.message}"
            end
            """

        func command() throws -> String {
            switch language {
            case "python": try Python.path()
            case "js": "node"
            default: language
            }
        }
    }

    static let verifiers = [
        Verifier(heading: "PyJWT", language: "python", file: "verify.py", caller: Verifier.python),
        Verifier(
            heading: "Node, `jose`",
            language: "js",
            file: "verify.mjs",
            caller: Verifier.node,
            nodePackage: "jose"
        ),
        Verifier(heading: "Ruby", language: "ruby", file: "verify.rb", caller: Verifier.ruby),
    ]

    @Test("a verifier from the guide accepts ID tokens, and nothing that only looks like one", arguments: verifiers)
    func verifies(_ verifier: Verifier) throws {
        let server = try RunningServer(workers: 1)
        let url = "http://127.0.0.1:\(server.port)"
        let user = try server.signInFresh("+16505550125")
        let token = try #require(user["idToken"])
        let script = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/bad_tokens.py"
        var bad = try Python.run([script, server.folder.path(of: "keys.json"), token]).split(separator: "\n").map {
            let parts = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return (name: parts[0], token: parts[1])
        }
        #expect(bad.count >= 14)
        bad.append((name: "a session cookie", token: try server.sessionCookie(token)))
        bad.append((name: "a refresh token", token: try #require(user["refreshToken"])))

        var snippet = try GuideSnippet(
            "VerifyingTokensWithLibraries",
            under: verifier.heading,
            language: verifier.language
        )
        try snippet.replace("https://auth.example.com", by: url)
        try snippet.replace("my-project", by: "demo-dialtone")
        let folder = try TemporaryFolder(prefix: "dialtone-verifier")
        try folder.write(snippet.text + verifier.caller + "\n", to: verifier.file)
        if let name = verifier.nodePackage {
            mkdir(folder.path(of: "node_modules"), 0o755)
            symlink("/usr/share/nodejs/\(name)", folder.path(of: "node_modules/\(name)"))
        }
        let run = try FinishedProcess.run(
            try verifier.command(),
            [folder.path(of: verifier.file)] + [token] + bad.map(\.token) + [token],
            atMost: .seconds(90)
        )
        #expect(run.status == .exited(0), "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == bad.count + 2, "\(run.output) \(run.errors)")
        let uid = try #require(user["localId"])
        // The last token shows that an invalid token does not spoil the verifier's cache.
        #expect(lines.first == uid && lines.last == uid)
        for (each, line) in zip(bad, lines.dropFirst()) {
            #expect(line.hasPrefix("refused: "), "\(each.name): \(line)")
        }
    }

    // MARK: Redirects

    /// Checks the output of a program that sends requests to Google's hosts through a redirect: an account, the keys,
    /// and another host.
    private func expectRedirected(_ lines: [String], _ server: RunningServer) throws {
        try #require(lines.count == 3, "\(lines)")
        #expect(lines[0].hasPrefix("account: 200 ") && lines[0].contains(#""localId":"ada""#), "\(lines[0])")
        let keys = try server.get("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com").text
        #expect(lines[1] == "keys: 200 \(keys)")
        #expect(lines[2].hasPrefix("other: ") && !lines[2].contains("200"), "\(lines[2])")
    }

    /// A production server with TLS, an account, and a token that may read the account.
    private struct Administered {
        let server: RunningServer
        let token: String
        let folder: TemporaryFolder

        init() throws {
            let authority = try TestAuthority()
            server = try RunningServer(
                .production,
                workers: 1,
                settings: ["ADMIN_ROUTES": "enabled"],
                identity: authority.serverIdentity()
            )
            token = try server.adminToken()
            folder = try TemporaryFolder(prefix: "dialtone-admin")
            try folder.write(authority.certificatePEM, to: "authority.pem")
            let account = try HTTPClient(port: server.port).request(
                "POST",
                "/v1/projects/demo-dialtone/accounts",
                headers: [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")],
                body: Array(#"{"localId":"ada"}"#.utf8)
            )
            #expect(account.status == 200)
        }

        /// Returns the snippet, with this server instead of the guide's.
        func snippet(under heading: String, language: String) throws -> String {
            var snippet = try GuideSnippet("AdminSDKs", under: heading, language: language)
            try snippet.replace("auth.internal", by: "localhost")
            try snippet.replace("9443", by: String(server.tlsPort))
            return snippet.text
        }
    }

    /// Sends requests like firebase-admin: with `https.request` and the app's agent.
    private static let nodeCaller = """

        const agent = new DialtoneAgent({ keepAlive: true }), [token, other] = process.argv.slice(2);
        const ask = (name, method, url, body) => new Promise((resolve) => {
          const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
          const request = https.request(url, { method, agent, headers }, (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (part) => { text += part; });
            response.on("end", () => { console.log(`${name}: ${response.statusCode} ${text}`); resolve(); });
          });
          request.on("error", (error) => { console.log(`${name}: ${error.code}`); resolve(); });
          request.end(body);
        });
        const lookup = "https://identitytoolkit.googleapis.com/v1/projects/demo-dialtone/accounts:lookup";
        await ask("account", "POST", lookup, '{"localId":["ada"]}');
        const keys = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com";
        await ask("keys", "GET", keys);
        await ask("other", "GET", other);
        process.exit();
        """

    @Test("the guide's agent for firebase-admin for Node redirects only the requests that it should, over TLS")
    func node() throws {
        let administered = try Administered()
        let folder = administered.folder
        let agent = try administered.snippet(under: "Node", language: "js")
        try folder.write(agent + Self.nodeCaller + "\n", to: "agent.mjs")
        func run(_ environment: [String]) throws -> FinishedProcess {
            try FinishedProcess.run(
                "env",
                // Node 18 would try only the first address of localhost, which may be an IPv6 address.
                environment + [
                    "node", "--dns-result-order=ipv4first", folder.path(of: "agent.mjs"), administered.token,
                    "https://127.0.0.1:1/",
                ],
                atMost: .seconds(60)
            )
        }
        let trusting = try run(["NODE_EXTRA_CA_CERTS=\(folder.path(of: "authority.pem"))"])
        #expect(trusting.isFine, "\(trusting.errors)")
        try expectRedirected(trusting.output.split(separator: "\n").map(String.init), administered.server)
        // The certificate is verified: no authority of this machine issued it, so the request fails.
        let doubting = try run([]).output
        #expect(doubting.hasPrefix("account: ") && !doubting.contains("200"), "\(doubting)")
    }

    @Test("the guide's transport for the Admin SDK for Java redirects only the requests that it should, over TLS")
    func java() throws {
        let administered = try Administered()
        let folder = administered.folder
        try folder.write(
            administered.snippet(under: "Java", language: "java"),
            to: "DialtoneTransport.java"
        )
        let names = ["google-http-client", "guava", "opencensus-api", "opencensus-contrib-http-util", "grpc-context"]
        let libraries = names.map { "/usr/share/java/\($0).jar" }.joined(separator: ":")
        let support = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support"
        let compiled = try FinishedProcess.run(
            "javac",
            [
                "--release", "11", "-Xlint:all,-classfile,-path", "-d", folder.path, "-classpath", libraries,
                folder.path(of: "DialtoneTransport.java"), "\(support)/TrustedAuthority.java",
                "\(support)/RedirectedBackEnd.java",
            ],
            atMost: .seconds(120)
        )
        try #require(compiled.isFine, "\(compiled.output) \(compiled.errors)")
        let run = try FinishedProcess.run(
            "java",
            [
                "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-classpath", "\(folder.path):\(libraries)",
                "RedirectedBackEnd", folder.path(of: "authority.pem"), administered.token, "https://127.0.0.1:1/",
            ],
            atMost: .seconds(120)
        )
        #expect(run.isFine, "\(run.errors)")
        try expectRedirected(run.output.split(separator: "\n").map(String.init), administered.server)
    }
}
