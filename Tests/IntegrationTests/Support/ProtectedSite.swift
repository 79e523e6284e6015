import Glibc
import Processes
import TestServers

@testable import dialtone

/// A site behind its own nginx, with the server blocks of the guide to forward authentication.
///
/// The site's back end returns the headers that it received. Everything stops when the value is released.
final class ProtectedSite: Sendable {
    private let port = FreePort.next()
    private let proxyPort = FreePort.next()
    private let folder: TemporaryFolder
    private let nginx: ChildProcess

    /// Starts a site for the users of a project of `server`. `more` are additional parameters of its nginx's
    /// verification requests.
    init(of server: RunningServer, project: String = "demo-dialtone", more: String = "") throws {
        folder = try TemporaryFolder(prefix: "dialtone-site")
        for name in ["dialtone-http.conf", "dialtone-auth.conf", "dialtone-auth-headers.conf"] {
            try folder.write(readFile("\(RunningServer.packageFolder)/nginx/\(name)"), to: name)
        }
        let backEndPort = FreePort.next()
        var blocks = try Self.blocksOfGuide()
        for (text, replacement) in [
            ("my-project", project + more), ("127.0.0.1:3000", "127.0.0.1:\(backEndPort)"),
            ("listen 443 ssl http2", "listen 127.0.0.1:\(port)"), ("127.0.0.1:9181", "127.0.0.1:\(proxyPort)"),
            ("    ssl_certificate", "    # "),
        ] {
            let changed = blocks.replacing(text, with: replacement)
            guard changed != blocks else { throw ServerFailure(description: "the guide has no \(text)") }
            blocks = changed
        }
        try folder.write(
            Self.configuration(blocks, worker: server.folder.path(of: "worker.sock"), backEndPort: backEndPort),
            to: "nginx.conf"
        )
        nginx = try ChildProcess.start(
            "nginx",
            ["-p", folder.path, "-c", folder.path(of: "nginx.conf"), "-e", "stderr"],
            output: .file(path: folder.path(of: "nginx.log")),
            errors: .file(path: folder.path(of: "nginx.log"))
        )
        guard eventually({ (try? request("/")) != nil && (try? requestOfProxy("/")) != nil }) else {
            throw ServerFailure(description: "the site did not start: \(folder.read("nginx.log"))")
        }
    }

    deinit { nginx.stop(SIGQUIT) }

    /// Returns the server blocks in the guide: the one for a site and the one for other proxies.
    private static func blocksOfGuide() throws -> String {
        let guides = "\(RunningServer.packageFolder)/Sources/IdentityToolkit/IdentityToolkit.docc"
        let path = "\(guides)/ForwardAuthentication.md"
        let parts = String(decoding: try readFile(path), as: UTF8.self).split(separator: "```nginx\n").dropFirst()
        return parts.compactMap { $0.split(separator: "```").first }.joined(separator: "\n")
    }

    private static let shownHeaders = ["user", "phone_number", "email", "email_verified", "provider", "claims"]

    private static func configuration(_ blocks: String, worker: String, backEndPort: UInt16) -> String {
        NginxConfiguration.text(
            http: """
                access_log off;
                upstream dialtone {
                    server unix:\(worker) max_fails=0;
                    server unix:\(worker) max_fails=0;
                    keepalive 8;
                }
                \(blocks)
                server {
                    listen 127.0.0.1:\(backEndPort);
                    default_type text/plain;
                    # To it, as to CGI programs, X_Auth_User is X-Auth-User, and the first of both counts.
                    underscores_in_headers on;
                    location / { return 200 "\(shownHeaders.map { "\($0)=$http_x_auth_\($0)\n" }.joined())"; }
                }
                """
        )
    }

    /// Returns the response of the site, or that of nginx in its place.
    func request(_ path: String, method: String = "GET", headers: [(String, String)] = []) throws -> HTTPAnswer {
        try HTTPClient(port: port).request(method, path, headers: headers)
    }

    /// Returns the response to another proxy that forwards a request for verification.
    func requestOfProxy(
        _ path: String,
        method: String = "GET",
        headers: [(String, String)] = []
    ) throws -> HTTPAnswer {
        try HTTPClient(port: proxyPort).request(method, path, headers: headers)
    }

    /// Returns a header that the site's back end received; nil if the request did not reach it.
    static func received(_ name: String, _ answer: HTTPAnswer) -> String? {
        answer.text.split(separator: "\n").first { $0.hasPrefix("\(name)=") }.map {
            String($0.dropFirst(name.count + 1))
        }
    }
}
