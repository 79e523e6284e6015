import APNsStandIn
import Glibc
import Processes
import TestServers
import Testing

/// A released app with the Android SDK in production mode, whose requests to Google's hosts are redirected to Dialtone
/// over TLS.
///
/// The SDK requires Android, so a program on OpenJDK makes its requests with the same class, `HttpURLConnection`.
@Suite(
    .sharedServer {
        try RunningServer(.production, workers: 1, identity: authority.get().serverIdentity())
    }
)
struct AndroidRedirectTests {
    private let server: RunningServer
    private let folder: TemporaryFolder
    private let number = "+16505550187"
    private let code = "246810"

    init() throws {
        server = try #require(SharedServer.current)
        folder = try TemporaryFolder(prefix: "dialtone-app")
        try folder.write(authority.get().certificatePEM, to: "authority.pem")
        #expect(try server.dialtone("test-numbers", "set", number, code, "--project", "demo-dialtone").isFine)
        // Workers apply a changed test number within a second.
        let isKnown = try eventually {
            try server.post("/v1/accounts:sendVerificationCode", #"{"phoneNumber":"\#(number)"}"#).status == 200
        }
        #expect(isKnown)
    }

    private var url: String { "https://127.0.0.1:\(server.tlsPort)" }

    @Test("an app signs in, sees refused codes, refreshes its token and reads its account")
    func signIn() throws {
        let lines = try run("sign-in")
        try #require(lines.count == 5, "\(lines)")
        #expect(lines[0].hasPrefix("send: 200 "))
        #expect(lines[1].hasPrefix("wrong code: 400 ") && lines[1].contains("INVALID_CODE"))
        #expect(lines[2].hasPrefix("sign-in: 200 "))
        #expect(lines[3].hasPrefix("refresh: 200 "))
        #expect(lines[4].hasPrefix("account: 200 ") && lines[4].contains(number))
    }

    @Test("other hosts keep their connections, and redirected hosts keep their port and proxy")
    func otherHosts() throws {
        let lines = try run("other-hosts")
        #expect(
            lines == [
                "proxy: 200", "default port: 443", "other: 200 localhost",
                "https://www.googleapis.com/robot/v1/metadata/x509/a -> "
                    + "https://www.googleapis.com/robot/v1/metadata/x509/a",
                "https://firebaseinstallations.googleapis.com/v1/ -> https://firebaseinstallations.googleapis.com/v1/",
                "https://identitytoolkit.googleapis.com.example.com/v1/ -> "
                    + "https://identitytoolkit.googleapis.com.example.com/v1/",
                "https://identitytoolkit.googleapis.com:8443/v1/ -> https://identitytoolkit.googleapis.com:8443/v1/",
                "https://user@identitytoolkit.googleapis.com/v1/ -> https://user@identitytoolkit.googleapis.com/v1/",
                "https://[::1]:8443//identitytoolkit.googleapis.com/ -> "
                    + "https://[::1]:8443//identitytoolkit.googleapis.com/",
                "https://IDENTITYTOOLKIT.googleapis.com:443/v1/projects?key=k -> \(url)/v1/projects?key=k",
                "https://securetoken.googleapis.com//host/v1/token -> \(url)//host/v1/token",
            ]
        )
    }

    @Test("a second installation changes nothing, and one for another server is refused")
    func twice() throws {
        let lines = try run("twice")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("send: 200 ") == true)
        #expect(
            lines.last == "other server: IllegalStateException Requests are redirected to \(url)/ and cannot be "
                + "redirected to https://other.example.com."
        )
    }

    @Test("in a process with another factory, the error says what to do, and doing it works")
    func secondFactory() throws {
        let refusal = try #require(run("second-factory").first)
        #expect(
            refusal.hasPrefix(
                "second factory: IllegalStateException The process already has a URLStreamHandlerFactory."
            )
        )
        #expect(refusal.contains("DialtoneRedirect.to(\"\(url)\")"))
        #expect(try run("own-factory").first?.hasPrefix("send: 200 ") == true)
    }

    @Test("the redirect accepts only an https host with an optional port")
    func faults() throws {
        let faults = [
            "auth.example.com", "http://auth.example.com", "https://", "https://auth.example.com/v1",
            "https://auth.example.com?a=1", "https://auth.example.com#a", "https://user@auth.example.com",
            "https:/auth.example.com", "https:auth.example.com", "https:///v1", "https://:8443",
            "https://auth.example.com:", "https://auth.example.com:0", "https://auth.example.com:65536",
            "https://auth.example.com:-1", "https://auth%2fexample", #"https://auth\example.com"#, "https://[::g]",
        ]
        let lines = try run(faults.joined(separator: " "))
        #expect(lines.count == faults.count)
        for (fault, line) in zip(faults, lines) {
            #expect(
                line == "\(fault): IllegalArgumentException Expected https://host or https://host:port, not \(fault)"
            )
        }
    }

    // MARK: Support

    /// The compiled classes of the redirect and of the program.
    private static let classes = Result { () throws -> TemporaryFolder in
        let classes = try TemporaryFolder(prefix: "dialtone-java")
        let package = RunningServer.packageFolder
        func compile(_ file: String, release: String) throws {
            let compiled = try FinishedProcess.run(
                "javac",
                [
                    "--release", release, "-Xlint:all", "-Werror", "-d", classes.path, "-classpath", classes.path,
                    "\(package)/\(file)",
                ],
                atMost: .seconds(120)
            )
            guard compiled.status == .exited(0) else { throw ServerFailure(description: compiled.errors) }
        }
        // All Android versions that the SDK supports have the language and the library of Java 8.
        try compile("Sources/AppRedirects/DialtoneRedirect.java", release: "8")
        for name in ["TrustedAuthority", "RedirectedApp"] {
            try compile("Tests/IntegrationTests/Support/\(name).java", release: "11")
        }
        return classes
    }

    private func run(_ action: String) throws -> [String] {
        let program = try FinishedProcess.run(
            "java",
            [
                "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-classpath", try Self.classes.get().path, "RedirectedApp",
                action, url, folder.path(of: "authority.pem"), RunningServer.apiKey, number, code,
            ],
            atMost: .seconds(120)
        )
        try #require(program.isFine, "\(program.errors)")
        return program.output.split(separator: "\n").map(String.init)
    }
}

private let authority = Result { try TestAuthority() }
