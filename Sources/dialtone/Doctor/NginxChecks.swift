import Cryptography
import Encodings
import FastCGI
import Glibc
import IdentityToolkit
import PhoneAuth
import Processes
import RedisScripts

/// Checks of the nginx on this machine.
struct NginxChecks {
    let dump: NginxDump
    /// Nil if the settings have faults.
    let settings: Settings?
    let now: Instant
    /// The folder with nginx's files of this release, which may not be on this machine.
    let shipped: String

    /// Returns the findings; none if nginx is not installed on this machine.
    static func findings(_ settings: Settings?, at now: Instant) -> [Finding] {
        guard findExecutable("nginx") != nil,
            let printed = try? FinishedProcess.run("nginx", ["-T"], atMost: .seconds(20))
        else { return [] }
        guard printed.status.isSuccess else {
            let line = printed.errors.split(separator: "\n").first { $0.contains("[emerg]") } ?? "nginx -T fails"
            guard geteuid() == 0 else {
                return [Finding(.unknown, "configuration", "\(line)", remedy: "run dialtone doctor as root")]
            }
            let text = "\(line): nginx neither starts nor reloads"
            return [Finding(.critical, "configuration", text, remedy: "nginx -t")]
        }
        let folder = (try? ownExecutable()).map(DevelopmentCommand.nginxFolder)
        return NginxChecks(dump: NginxDump(printed.output), settings: settings, now: now, shipped: folder ?? "")
            .findings()
    }

    func findings() -> [Finding] {
        let directives = dump.directives
        let servers = directives.all("server").filter { !$0.block.isEmpty }
        let own = servers.filter { $0.block.includes("dialtone-locations.conf") }
        guard !own.isEmpty else {
            let text = "no server block includes dialtone-locations.conf: nginx does not serve Dialtone"
            let remedy = "use /etc/nginx/conf.d/dialtone.conf.example, as in deploy.md"
            return [Finding(.advice, "configuration", text, remedy: remedy)]
        }
        let isAdmin = { (server: NginxDump.Directive) in server.block.includes("dialtone-admin.conf") }
        let sockets = Set(
            directives.all("upstream").filter { $0.words.last?.hasPrefix("dialtone") == true }
                .flatMap { $0.block.all("server") }
                .compactMap { $0.words.dropFirst().first }.filter { $0.hasPrefix("unix:") }
                .map { String($0.dropFirst(5)) }
        )
        let user = directives.first { $0.name == "user" }?.words.dropFirst().first
        return NginxConfiguration.includedFiles.compactMap(version)
            + own.filter(isAdmin).flatMap(adminListener) + own.filter { !isAdmin($0) }.flatMap(publicServer)
            + sockets.sorted().map { socket($0, nginxUser: user ?? "nobody") } + bodySize(own)
            + adminInterface(isServed: own.contains(where: isAdmin))
    }

    // MARK: Included files

    /// Compares a file that nginx uses with that of this release, and its time-outs with the deadline of requests.
    private func version(_ name: String) -> Finding? {
        let path = "\(shipped)/\(name)"
        guard let used = dump.files.first(where: { $0.path.hasSuffix("/\(name)") }), let own = try? readFile(path)
        else { return nil }
        let (mine, theirs) = (TimedLines(String(decoding: own, as: UTF8.self)), TimedLines(used.text))
        guard mine.lines == theirs.lines else {
            return Finding(
                .advice,
                name,
                "\(used.path) is not the file of Dialtone's installed version: requests may be limited, cached or "
                    + "passed on wrongly",
                remedy: "cp \(path) \(used.path) && nginx -t && systemctl reload nginx"
            )
        }
        let deadline = settings?.requestDeadline ?? TimedLines.shippedDeadline
        let added = Int(deadline.components.seconds - TimedLines.shippedDeadline.components.seconds)
        // Shorter ones are those of health checks.
        let short = zip(mine.seconds, theirs.seconds).first { mine, theirs in mine >= 8 && theirs < mine + added }
        guard let short else { return .fine(name, "as installed") }
        return Finding(
            .critical,
            name,
            "fastcgi_read_timeout \(short.1)s is too short for \(DeploymentValues.name(of: \.requestDeadline))="
                + "\(deadline.components.seconds): nginx responds with 503 while the worker completes the request",
            remedy: "fastcgi_read_timeout \(short.0 + added)s in \(used.path)"
        )
    }

    // MARK: Servers

    private func publicServer(_ server: NginxDump.Directive) -> [Finding] {
        let name = server.block.first { $0.name == "server_name" }?.words.dropFirst().joined(separator: " ") ?? ""
        let subject = "server \(name.isEmpty ? "without a name" : name)"
        var findings = server.block.filter { $0.name == "ssl_certificate" }.map { certificate($0.words.last ?? "") }
        let isBehindBalancer = server.block.contains { $0.name == "set_real_ip_from" }
        if findings.isEmpty, !isBehindBalancer {
            let text = "it has no TLS: codes and tokens can be read on the network"
            findings.append(Finding(.critical, subject, text, remedy: "listen 443 ssl http2, and ssl_certificate"))
        }
        if name == "auth.example.com" {
            let text = "the name is that of the example: nginx serves it only as the default server"
            findings.append(Finding(.advice, subject, text, remedy: "server_name <the host of your URL>"))
        }
        let logs = server.block.filter { $0.name == "access_log" && $0.words.count > 1 && $0.words[1] != "off" }
        let isUnsafe = logs.isEmpty || logs.contains { !$0.words.contains("dialtone") }
        findings.append(
            .check(
                "access log of \(subject)",
                "without query strings",
                wrong: isUnsafe
                    ? (
                        .advice, "it contains query strings, and with them API keys",
                        "access_log /var/log/nginx/dialtone.log dialtone"
                    ) : nil
            )
        )
        return findings
    }

    private func certificate(_ path: String) -> Finding {
        if path.contains("snakeoil") {
            let text = "this is the machine's self-signed certificate: no app trusts it"
            return Finding(.critical, path, text, remedy: "certbot certonly, as in deploy.md")
        }
        let main = dump.files.first?.path ?? ""
        let folder = main[..<(main.lastIndex(of: "/") ?? main.startIndex)]
        let text = try? readFile(path.hasPrefix("/") ? path : "\(folder)/\(path)")
        guard let chain = text.flatMap({ CertificateChain(pem: String(decoding: $0, as: UTF8.self)) }) else {
            return Finding(.unknown, path, "the certificate cannot be read", remedy: "run dialtone doctor as root")
        }
        return FileChecks.expiry(of: chain, path, at: now)
    }

    private func adminListener(_ server: NginxDump.Directive) -> [Finding] {
        let isRestricted = server.block.contains { $0.words == ["deny", "all"] }
        return server.block.filter { $0.name == "listen" }.map { listen in
            let address = listen.words.dropFirst().first ?? ""
            let isPublic = !isRestricted && !Self.isPrivate(address)
            return .check(
                "admin listener \(address)",
                "not public",
                wrong: isPublic
                    ? (
                        .critical, "anyone who reaches this address can read metrics and try admin tokens",
                        "listen 127.0.0.1:9180"
                    ) : nil
            )
        }
    }

    /// Returns whether the address in a `listen` directive is one of this machine or of a private network.
    private static func isPrivate(_ address: String) -> Bool {
        if address.hasPrefix("unix:") || address.hasPrefix("localhost") || address.hasPrefix("[::1]") { return true }
        if address.hasPrefix("[fd") || address.hasPrefix("[fc") || address.hasPrefix("[fe80:") { return true }
        let parts = address.split(separator: ":")[0].split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return false }
        return parts[0] == 127 || parts[0] == 10 || (parts[0], parts[1]) == (192, 168)
            || parts[0] == 172 && (16...31).contains(parts[1])
    }

    private func adminInterface(isServed: Bool) -> [Finding] {
        guard let settings, settings.adminInterface.isServed, !isServed else { return [] }
        let text = "enabled, but no server block includes dialtone-admin.conf: it cannot be reached"
        let remedy = "the second server block of dialtone.conf.example"
        return [Finding(.advice, "DIALTONE_ADMIN_ROUTES", text, remedy: remedy)]
    }

    private func bodySize(_ servers: [NginxDump.Directive]) -> [Finding] {
        guard let settings, settings.maxBodyBytes > 65_536 else { return [] }
        let isDefault = servers.contains { $0.block.contains { $0.words == ["client_max_body_size", "64k"] } }
        guard isDefault else { return [] }
        let text = "\(settings.maxBodyBytes), but nginx rejects bodies of more than 65536 bytes (client_max_body_size)"
        return [Finding(.advice, DeploymentValues.name(of: \.maxBodyBytes), text, remedy: "remove the setting")]
    }

    // MARK: Sockets

    private func socket(_ path: String, nginxUser: String) -> Finding {
        let subject = "socket \(path)"
        if case .unix(let own)? = settings?.listen, own != path {
            let text = "workers listen on \(own): every request gets 503"
            return Finding(.critical, subject, text, remedy: "server unix:\(own) in nginx's upstream blocks")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            let text = "it does not exist: every request gets 503"
            return Finding(.critical, subject, text, remedy: "systemctl enable --now dialtone-worker.socket")
        }
        guard status.st_mode & S_IWOTH == 0 else {
            let text = "every user of this machine can connect, and forge clients' addresses"
            return Finding(.critical, subject, text, remedy: "SocketMode=0660 and SocketGroup=dialtone-nginx")
        }
        guard let user = getpwnam(nginxUser) else {
            return Finding(.critical, subject, "nginx's user \(nginxUser) does not exist", remedy: "user www-data;")
        }
        let account = (id: user.pointee.pw_uid, group: user.pointee.pw_gid)
        var count: Int32 = 256
        var groups = [gid_t](repeating: 0, count: Int(count))
        getgrouplist(nginxUser, account.group, &groups, &count)
        let isMember = groups.prefix(Int(max(0, count))).contains(status.st_gid) && status.st_mode & S_IWGRP != 0
        let isOwner = account.id == status.st_uid && status.st_mode & S_IWUSR != 0
        guard account.id == 0 || isMember || isOwner else {
            let text = "nginx's user \(nginxUser) may not connect: every request gets 503"
            let remedy = "adduser \(nginxUser) dialtone-nginx && systemctl reload nginx"
            return Finding(.critical, subject, text, remedy: remedy)
        }
        return .fine(subject, "\(nginxUser) may connect")
    }
}

/// A configuration file, with its read time-outs, which operators may increase, apart from the rest.
private struct TimedLines {
    /// The deadline of requests for which the shipped time-outs are right.
    static let shippedDeadline: Duration = .seconds(5)

    private(set) var lines: [Substring] = []
    private(set) var seconds: [Int] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let line = line.trimmed
            if line.hasPrefix("fastcgi_read_timeout "), line.hasSuffix("s;"),
                let seconds = Int(line.dropFirst(21).dropLast(2))
            {
                self.seconds.append(seconds)
                lines.append("fastcgi_read_timeout")
            } else if !line.isEmpty {
                lines.append(line)
            }
        }
    }
}
