import APNsStandIn
import Glibc
import Processes
import TestServers
import Testing

/// The shipped nginx file for development with the iOS SDK, which calls the API over http and opens the challenge page
/// over https on the same port.
@Suite struct EmulatorTLSTests {
    @Test("http and https are served on one port, and the page's link uses this port")
    func onePort() throws {
        let server = try RunningServer(workers: 1)
        let folder = try TemporaryFolder(prefix: "dialtone-tls")
        // If root starts nginx, its worker processes have another user, who must reach the socket.
        chmod(folder.path, 0o711)
        let authority = try TestAuthority()
        let identity = try authority.serverIdentity()
        try folder.write(authority.certificatePEM, to: "authority.pem")
        try folder.write(identity.certificate, to: "certificate.pem")
        try folder.write(identity.privateKey, to: "key.pem")
        let port = FreePort.next()
        try folder.write(
            try [
                ("127.0.0.1:9098", "127.0.0.1:\(server.port)"), ("127.0.0.1:9099", "127.0.0.1:\(port)"),
                ("/tmp/dialtone-emulator-tls", folder.path(of: "tls")),
                ("/etc/ssl/certs/ssl-cert-snakeoil.pem", folder.path(of: "certificate.pem")),
                ("/etc/ssl/private/ssl-cert-snakeoil.key", folder.path(of: "key.pem")),
            ].reduce(readFile("\(RunningServer.packageFolder)/nginx/dialtone-emulator-tls.conf")) { text, change in
                let parts = text.split(separator: change.0, omittingEmptySubsequences: false)
                try #require(parts.count > 1, "\(change.0) is not in the file")
                return parts.joined(separator: change.1)
            },
            to: "nginx.conf"
        )
        let nginx = try ChildProcess.start(
            "nginx",
            ["-p", folder.path, "-c", folder.path(of: "nginx.conf"), "-e", "stderr"],
            output: .file(path: folder.path(of: "log")),
            errors: .file(path: folder.path(of: "log"))
        )
        defer { nginx.stop(SIGQUIT) }
        func curl(_ scheme: String, _ target: String) throws -> FinishedProcess {
            try FinishedProcess.run(
                "curl",
                [
                    "--silent", "--show-error", "--fail", "--cacert", folder.path(of: "authority.pem"),
                    "\(scheme)://127.0.0.1:\(port)\(target)",
                ]
            )
        }
        let isUp = try eventually { try curl("http", "/readyz").status == .exited(0) }
        #expect(isUp, "\(folder.read("log"))")
        #expect(try curl("https", "/readyz").isFine)
        let page = try curl("https", "/__/auth/handler?\(ChallengedApp().query)")
        #expect(page.isFine)
        #expect(page.output.contains("127.0.0.1%3A\(port)"))
    }
}
