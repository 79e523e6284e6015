import Glibc
import Processes
import TestServers

/// nginx with the installed production site, with free ports, other paths and a test certificate.
final class Nginx: Sendable {
    /// The port with TLS, as in production.
    let tlsPort = FreePort.next()
    /// A port with the contents of the same server block, without TLS.
    let plainPort = FreePort.next()
    /// The port of the admin interface.
    let adminPort = FreePort.next()
    /// A port with the public server block without the locations that hide paths, so that only the workers' own checks
    /// remain.
    let unguardedPort = FreePort.next()
    /// The path of the workers' socket.
    let workerSocket: String
    /// The path of the socket of workers for the admin interface alone, if the site has them.
    let adminWorkerSocket: String

    private let installation: Installation
    private let child: ChildProcess?

    /// A port with HTTP/2 without TLS, so that tests can read its frames.
    let http2Port = FreePort.next()

    /// Writes the configuration and, unless told otherwise, starts nginx and waits until it responds. `changes` replace
    /// times or rates in the installed files for which a test would have to wait. Each text must exist. With
    /// `separateAdmin`, the site has separate workers for the admin interface, as `nginx/README.md` says.
    init(
        starting isStarted: Bool = true,
        changing changes: [(shipped: String, changed: String)] = [],
        separateAdmin: Bool = false
    ) throws {
        installation = try Installation.staged()
        try Self.change(changes, in: installation)
        workerSocket = installation.path(of: "worker.sock")
        adminWorkerSocket = installation.path(of: "admin-worker.sock")
        try Self.makeCertificate(in: installation)
        let ports = (tls: tlsPort, plain: plainPort, admin: adminPort)
        var site = try Self.site(
            of: installation,
            workerSocket: workerSocket,
            tlsPort: ports.tls,
            adminPort: ports.admin
        )
        if separateAdmin { try Self.separateAdmin(in: &site, of: installation, workerSocket: adminWorkerSocket) }
        try installation.folder.write(site, to: "etc/nginx/conf.d/dialtone.conf")
        try installation.folder.write(
            Self.unguardedLocations(of: installation),
            to: "etc/nginx/unguarded-locations.conf"
        )
        try installation.folder.write(
            Self.main(
                installation.folder.path,
                plainPort: ports.plain,
                unguardedPort: unguardedPort,
                http2Port: http2Port
            ),
            to: "etc/nginx/nginx.conf"
        )
        guard isStarted else {
            child = nil
            return
        }
        let errors = installation.path(of: "stderr.log")
        let started = try ChildProcess.start(
            "nginx",
            Self.arguments(installation.folder.path),
            output: .file(path: errors),
            errors: .file(path: errors)
        )
        child = started
        let isUp = eventually {
            // nginx binds one port after the other.
            started.waitForExit(atMost: .zero) != nil
                || [ports.plain, ports.tls, ports.admin, unguardedPort, http2Port].allSatisfy(HTTP.canConnect)
        }
        guard isUp, started.waitForExit(atMost: .zero) == nil else {
            throw ServerFailure(description: "nginx did not start: \(installation.read("stderr.log"))")
        }
    }

    deinit { child?.stop(SIGTERM) }

    /// Runs `nginx -t`.
    func check() throws -> FinishedProcess {
        try FinishedProcess.run("nginx", ["-t"] + Self.arguments(installation.folder.path))
    }

    /// Returns the lines of the access log once it has this number of lines.
    func accessLog(lines count: Int) -> [String] {
        func lines() -> [String] { installation.read("access.log").split(separator: "\n").map(String.init) }
        _ = eventually { lines().count >= count }
        return lines()
    }

    /// Everything that nginx has written to its other logs.
    var otherLogs: String {
        installation.read("stderr.log") + installation.read("error.log") + installation.read("http.log")
    }

    private static func arguments(_ folder: String) -> [String] {
        ["-p", folder, "-c", "\(folder)/etc/nginx/nginx.conf", "-e", "\(folder)/error.log"]
    }

    private static func makeCertificate(in installation: Installation) throws {
        try mustSucceed(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=auth.example.com", "-keyout", installation.path(of: "key.pem"),
                "-out", installation.path(of: "certificate.pem"),
            ]
        )
    }

    /// Returns the installed site, changed only where an operator or a test must change it.
    private static func site(of installation: Installation, workerSocket: String, tlsPort: UInt16, adminPort: UInt16)
        throws -> String
    {
        var site = installation.read("etc/nginx/conf.d/dialtone.conf.example")
        let changes = [
            ("/etc/ssl/certs/ssl-cert-snakeoil.pem", installation.path(of: "certificate.pem")),
            ("/etc/ssl/private/ssl-cert-snakeoil.key", installation.path(of: "key.pem")),
            ("/run/dialtone/worker.sock", workerSocket),
            ("/var/log/nginx/dialtone.log", installation.path(of: "access.log")),
            ("listen [::]:443", "listen [::1]:\(tlsPort)"),
            ("listen 127.0.0.1:9180", "listen 127.0.0.1:\(adminPort)"),
            ("listen 443", "listen 127.0.0.1:\(tlsPort)"),
        ]
        for (old, new) in changes {
            let parts = site.splitted(by: old)
            guard parts.count > 1 else { throw ServerFailure(description: "the site does not say \(old)") }
            site = parts.joined(separator: new)
        }
        if !HTTP.hasIPv6Loopback { site = site.splitted(by: "listen [::1]").joined(separator: "# listen [::1]") }
        return site
    }

    /// Replaces the include of the admin locations in a site by a copy for separate workers. The copy's upstreams are
    /// those of the snippet in `nginx/README.md`.
    private static func separateAdmin(
        in site: inout String,
        of installation: Installation,
        workerSocket: String
    ) throws {
        let readme = installation.read("usr/share/doc/dialtone/nginx.md")
        guard
            let snippet = readme.splitted(by: "```nginx\n").first(where: { $0.hasPrefix("set $dialtone_retries ") })?
                .splitted(by: "```")[0]
        else { throw ServerFailure(description: "nginx/README.md does not set the upstream of retries") }
        let copy = installation.read("etc/nginx/dialtone-admin.conf").splitted(by: "fastcgi_pass dialtone;")
        try installation.folder.write(copy.joined(separator: snippet), to: "etc/nginx/separate-admin.conf")
        let parts = site.splitted(by: "include dialtone-admin.conf;")
        guard copy.count > 1, parts.count == 2 else { throw ServerFailure(description: "the site has no admin block") }
        let servers = "server unix:\(workerSocket) max_fails=0;\nserver unix:\(workerSocket) max_fails=0;"
        site = """
            upstream dialtone_admin { \(servers) keepalive 64; }
            upstream dialtone_admin_new_connections { \(servers) }
            \(parts.joined(separator: "include separate-admin.conf;"))
            """
    }

    private static func change(_ changes: [(shipped: String, changed: String)], in installation: Installation) throws {
        let names = ["http", "locations"].map { "etc/nginx/dialtone-\($0).conf" }
        for (shipped, changed) in changes {
            guard let name = names.first(where: { installation.read($0).contains(shipped) }) else {
                throw ServerFailure(description: "no file says \(shipped)")
            }
            let text = installation.read(name).splitted(by: shipped).joined(separator: changed)
            try installation.folder.write(text, to: name)
        }
    }

    /// Returns the installed locations except those that only refuse requests.
    private static func unguardedLocations(of installation: Installation) throws -> String {
        let lines = installation.read("etc/nginx/dialtone-locations.conf").splitted(by: "\n")
        let passing = lines.filter { !$0.hasSuffix("{ return 404; }") }
        guard passing.count < lines.count else { throw ServerFailure(description: "no location refuses anything") }
        return passing.joined(separator: "\n")
    }

    /// Returns the rest of a Debian machine's configuration, and three servers without TLS. These servers trust tests'
    /// headers about the client's address, as for a load balancer.
    private static func main(
        _ folder: String,
        plainPort: UInt16,
        unguardedPort: UInt16,
        http2Port: UInt16
    ) -> String {
        """
        daemon off;
        worker_processes 1;
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log;
        \(geteuid() == 0 ? "user root;" : "")
        events { worker_connections 768; }
        http {
            default_type application/octet-stream;
            gzip on;
            access_log \(folder)/http.log;
            client_body_temp_path \(folder)/body;
            fastcgi_temp_path \(folder)/fastcgi;
            proxy_temp_path \(folder)/proxy;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            set_real_ip_from 127.0.0.1;
            real_ip_header X-Forwarded-For;
            include conf.d/*.conf;
            server {
                listen 127.0.0.1:\(plainPort);
                access_log \(folder)/access.log dialtone;
                include dialtone-locations.conf;
            }
            server {
                listen 127.0.0.1:\(unguardedPort);
                include unguarded-locations.conf;
            }
            server {
                listen 127.0.0.1:\(http2Port) http2;
                include dialtone-locations.conf;
            }
        }

        """
    }
}

extension String {
    /// Returns the parts between the occurrences of a separator.
    func splitted(by separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let found = rest.firstRange(of: separator) {
            parts.append(String(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return parts + [String(rest)]
    }
}
