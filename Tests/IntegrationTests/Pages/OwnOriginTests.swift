import Glibc
import Processes
import TestBrowser
import TestServers
import Testing

@testable import dialtone

/// An app that nginx serves on the origin of Dialtone's pages, with the location of the guide.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(10))) struct OwnOriginTests: SignInVisitor {
    /// An nginx with Dialtone's server block and the guide's location. It stops when the value is released.
    private final class Site: Sendable {
        let port = FreePort.next()
        private let folder: TemporaryFolder
        private let nginx: ChildProcess

        init(of server: RunningServer) throws {
            folder = try TemporaryFolder(prefix: "dialtone-own-origin")
            for name in ["dialtone-http.conf", "dialtone-locations.conf", "dialtone-fastcgi.conf"] {
                try folder.write(readFile("\(RunningServer.packageFolder)/nginx/\(name)"), to: name)
            }
            mkdir(folder.path(of: "app"), 0o755)
            try folder.write(OwnOriginTests.page, to: "app/index.html")
            try folder.write("<!doctype html><title>Not here</title>", to: "app/404.html")
            let worker = "server unix:\(server.folder.path(of: "worker.sock")) max_fails=0;"
            try folder.write(
                NginxConfiguration.text(
                    http: """
                        access_log off;
                        upstream dialtone { \(worker) \(worker) keepalive 8; }
                        upstream dialtone_new_connections { \(worker) \(worker) }
                        server {
                            listen 127.0.0.1:\(port);
                            \(try Self.location().replacing("/srv/my-app/", with: folder.path(of: "app/")))
                        }
                        """
                ),
                to: "nginx.conf"
            )
            nginx = try ChildProcess.start(
                "nginx",
                ["-p", folder.path, "-c", folder.path(of: "nginx.conf"), "-e", "stderr"],
                output: .file(path: folder.path(of: "nginx.log")),
                errors: .file(path: folder.path(of: "nginx.log"))
            )
            let client = HTTPClient(port: port)
            guard eventually({ (try? client.request("GET", "/readyz").status) == 200 }) else {
                throw ServerFailure(description: "the site did not start: \(folder.read("nginx.log"))")
            }
        }

        deinit { nginx.stop(SIGQUIT) }

        /// Returns the lines of the guide for the server block.
        private static func location() throws -> String {
            let path = "\(RunningServer.packageFolder)/Sources/IdentityToolkit/IdentityToolkit.docc/SignInPages.md"
            let blocks = String(decoding: try readFile(path), as: UTF8.self).split(separator: "```nginx\n")
            return String(try #require(blocks.dropFirst().first?.split(separator: "```").first))
        }
    }

    private static let page = """
        <!doctype html><html lang="en"><title>App</title>
        <script type="module" src="/__/auth/sign-in.js"></script>
        <dialtone-sign-in api-key="\(RunningServer.apiKey)"></dialtone-sign-in>
        """

    @Test("the app has its own headers and errors, and the component works under its content security policy")
    func app() throws {
        let site = try Site(of: server)
        let client = HTTPClient(port: site.port)
        let page = try client.request("GET", "/app/")
        #expect(page.status == 200 && page.text == Self.page)
        #expect(page.headers["content-security-policy"]?.contains("default-src 'self'") == true)
        #expect(page.headers["cache-control"] == nil && page.headers["access-control-allow-origin"] == nil)
        let missing = try client.request("GET", "/app/missing")
        #expect(missing.status == 404 && missing.text.contains("Not here"), "\(missing.text)")
        let elsewhere = try client.request("GET", "/missing")
        #expect(elsewhere.status == 404 && elsewhere.headers["content-security-policy"]?.contains("'none'") == true)

        let number = "+16505551512"
        let visit = Visit(
            url: "http://127.0.0.1:\(site.port)/app/",
            linkScheme: "",
            steps: Self.signIn(as: number) + [.evaluate("find('dialtone-sign-in').user.phoneNumber")]
        )
        let visited = try browser.visit(visit)
        #expect(visited.words == [number])
        #expect(visited.faults == [])
    }
}
