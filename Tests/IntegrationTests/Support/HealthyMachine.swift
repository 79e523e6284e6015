import APNsStandIn
import Cryptography
import Encodings
import FastCGI
import GatewayStandIn
import Glibc
import Processes
import TestServers

@testable import dialtone

/// A deployment without any fault, with all its parts on this machine: workers, a dispatcher, Redis with two replicas,
/// a gateway, nginx with a certificate, and an installed program.
final class HealthyMachine: Sendable {
    let server: RunningServer
    let replicas: [RedisServer]
    let gateway: GatewayServer
    private let folder: TemporaryFolder
    private let listener: Listener
    private let ports = (tls: FreePort.next(), admin: FreePort.next())

    /// The only machine of this process.
    static let shared = Task { try await HealthyMachine(gateway: .start()) }

    private init(gateway: GatewayServer) throws {
        self.gateway = gateway
        gateway.always(.answer(200, "{}"))
        let durable = [
            "appendfsync always", "hash-max-listpack-value 1024", "min-replicas-to-write 1",
            "maxmemory-policy noeviction",
        ]
        let redis = try RedisServer.start(isPersistent: true, settings: durable)
        replicas = try (0..<2).map { _ in
            let replica = try redis.startReplica()
            replica.cli("CONFIG", "SET", "appendonly", "yes")
            for line in durable {
                let words = line.split(separator: " ").map(String.init)
                replica.cli("CONFIG", "SET", words[0], words[1])
            }
            return replica
        }
        folder = try TemporaryFolder(prefix: "dialtone-machine")
        for (name, days) in [("certificate", 90), ("expired", -1), ("expiring", 5)] as [(String, Int64)] {
            try Self.writeCertificate("\(name).pem", days: days, in: folder)
        }
        // The expiry that counts is that of the first certificate. A test's authority lives for a day.
        try folder.write(folder.read("certificate.pem") + gateway.authority.certificatePEM, to: "gateway-ca.pem")
        let settings = [
            "REDIS_REPLICAS_BEFORE_ANSWER": "1", "PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "US",
            "PROJECT_OTHER_SMS_ALLOWED_REGIONS": "US", "GATEWAYS": "main", "GATEWAY_MAIN_KIND": "twilio",
            "GATEWAY_MAIN_ACCOUNT": "AC" + String(repeating: "0", count: 32), "GATEWAY_MAIN_SECRET": "token",
            "GATEWAY_MAIN_SENDER": "+16505550100", "GATEWAY_MAIN_URL": gateway.url,
            "GATEWAY_TRUST_FILE": folder.path(of: "gateway-ca.pem"),
        ]
        server = try RunningServer(.production, workers: 1, settings: settings, redis: redis)
        listener = try Listener(.unix(path: folder.path(of: "worker.sock")))
        try install()
        try server.startDispatcher()
        var report = ""
        let isRunning = try eventually {
            report = try server.dialtone("doctor", "--all").output
            return report.contains("ok      running: 1")
        }
        guard isRunning else {
            let log = server.folder.read("dispatcher-0.log")
            throw ServerFailure(description: "the dispatcher does not run: \(log) \(report)")
        }
    }

    /// Installs the program, nginx's files, and programs that stand for the machine's own.
    private func install() throws {
        for name in ["bin", "share", "share/dialtone", "share/dialtone/nginx"] { mkdir(folder.path(of: name), 0o700) }
        guard try FinishedProcess.run("cp", [RunningServer.binary, folder.path(of: "bin/dialtone")]).isFine else {
            throw ServerFailure(description: "the program was not copied")
        }
        for name in NginxConfiguration.includedFiles {
            let text = readFile("\(RunningServer.packageFolder)/nginx/\(name)")
            try folder.write(text, to: "share/dialtone/nginx/\(name)")
        }
    }

    private static func writeCertificate(_ name: String, days: Int64, in folder: TemporaryFolder) throws {
        let key = try P256PrivateKey.generate()
        let now = Instant.system().seconds
        let certificate = try Certificate(
            subject: "auth.example.org",
            key: .p256(key),
            validity: now - 10 * 86_400...now + days * 86_400,
            serialNumber: [1],
            extensions: []
        )
        try folder.write(certificate.pem + key.pem(), to: name)
    }

    /// The site of the machine's nginx.
    var site: String {
        """
        upstream dialtone { server unix:\(folder.path(of: "worker.sock")) max_fails=0; }
        upstream dialtone_new_connections { server unix:\(folder.path(of: "worker.sock")) max_fails=0; }
        server {
            listen 127.0.0.1:\(ports.tls) ssl http2;
            server_name auth.example.org;
            ssl_certificate CERTIFICATES/certificate.pem;
            ssl_certificate_key CERTIFICATES/certificate.pem;
            access_log access.log dialtone;
            include dialtone-locations.conf;
        }
        server {
            listen PRIVATE:\(ports.admin);
            access_log access.log dialtone;
            include dialtone-admin.conf;
            include dialtone-locations.conf;
        }
        """
    }

    /// Runs `dialtone doctor` with faults: changed `settings`, further `lines` of the settings file, texts to replace
    /// in nginx's files, and changed files of the folder that has the settings.
    func examine(
        settings: [String: String] = [:],
        appending lines: String = "",
        nginx changes: [(old: String, new: String)] = [],
        isSynchronized: Bool = true,
        prepare: (TemporaryFolder) throws -> Void = { _ in },
        _ arguments: [String] = ["--json"]
    ) throws -> FinishedProcess {
        let place = try TemporaryFolder(prefix: "dialtone-fault")
        let changed = settings.mapValues {
            $0.replacing("FOLDER", with: place.path).replacing("CERTIFICATES", with: folder.path)
        }
        let kept = server.folder.read("dialtone.conf").split(separator: "\n").filter { line in
            !changed.contains { line.hasPrefix("DIALTONE_\($0.key)=") }
        }
        let own = kept.map(String.init) + changed.map { "DIALTONE_\($0.key)=\($0.value)" } + [lines]
        try place.write(own.joined(separator: "\n") + "\n", to: "dialtone.conf")
        var files = ["nginx.conf": NginxConfiguration.text(http: "include site.conf;"), "site.conf": site]
        for name in NginxConfiguration.includedFiles { files[name] = folder.read("share/dialtone/nginx/\(name)") }
        for (old, new) in changes {
            guard files.values.contains(where: { $0.contains(old) }) else {
                throw ServerFailure(description: "nginx's files do not say \(old)")
            }
            files = files.mapValues { $0.replacing(old, with: new) }
        }
        for (name, text) in files {
            let text = text.replacing("CERTIFICATES", with: folder.path).replacing("PRIVATE", with: "127.0.0.1")
            try place.write(text, to: name)
        }
        mkdir(place.path(of: "bin"), 0o700)
        let nginx = findExecutable("nginx") ?? ""
        try place.writeProgram(
            "exec \(nginx) -p \(place.path) -c \(place.path)/nginx.conf -e stderr \"$@\"",
            to: "bin/nginx"
        )
        try place.writeProgram("echo \(isSynchronized ? "yes" : "no")", to: "bin/timedatectl")
        try prepare(place)
        var environment = processEnvironment()
        environment["PATH"] = "\(place.path)/bin:\(environment["PATH"] ?? "")"
        return try FinishedProcess.run(
            folder.path(of: "bin/dialtone"),
            ["doctor", "--config", place.path(of: "dialtone.conf")] + arguments,
            environment: environment
        )
    }
}

extension TemporaryFolder {
    /// Writes a shell script.
    fileprivate func writeProgram(_ line: String, to name: String) throws {
        try write("#!/bin/sh\n\(line)\n", to: name)
        chmod(path(of: name), 0o755)
    }
}
