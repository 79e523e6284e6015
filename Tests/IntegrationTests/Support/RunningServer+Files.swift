import APNsStandIn
import Encodings
import PhoneAuth
import Processes
import RedisScripts
import TestServers

@testable import dialtone

/// The files that the server's programs read.
extension RunningServer {
    static func writeFiles(
        _ folder: TemporaryFolder,
        _ mode: Mode,
        _ settings: [String: String],
        _ redis: RedisServer,
        _ port: UInt16,
        _ socket: String
    ) throws {
        var lines = [
            "MODE": mode.rawValue,
            "KEY_FILE": folder.path(of: "keys.json"),
            "PROJECTS": mode == .development ? "demo-dialtone" : "demo-dialtone,other",
            "LISTEN": "fd:3",
            "METRICS_FOLDER": folder.path(of: "metrics"),
            "DRAIN_SECONDS": "0",
            "REDIS_ADDRESS": "unix:\(redis.socketPath)",
            // A shared machine may stall, which is not a fault of Redis.
            "REDIS_CONNECT_TIMEOUT_MILLISECONDS": "4000",
            "REDIS_COMMAND_TIMEOUT_MILLISECONDS": "4000",
            // Many tests send to neighboring numbers without verifying codes.
            "SMS_BREAKER": "record",
        ]
        // Tests send from one address, and many of them share a server. A network gets a tenth of a project's messages.
        lines["SENDS_PER_PROJECT_PER_HOUR"] = "0"
        lines["SENDS_PER_PROJECT_PER_DAY"] = "0"
        lines["MAILS_PER_PROJECT_PER_HOUR"] = "0"
        lines["MAILS_PER_PROJECT_PER_DAY"] = "0"
        if mode == .development {
            lines["SENDS_PER_NETWORK_PER_HOUR"] = "1000000"
            lines["MAILS_PER_NETWORK_PER_HOUR"] = "0"
        }
        if mode == .production {
            lines["PROJECT_DEMO_DIALTONE_API_KEYS"] = apiKey
            lines["PROJECT_OTHER_API_KEYS"] = "other-key"
        }
        lines.merge(settings) { _, chosen in chosen }
        let text = lines.map { "DIALTONE_\($0.key)=\($0.value)\n" }.sorted().joined()
        try folder.write(text, to: "dialtone.conf")

        for name in NginxConfiguration.includedFiles {
            try folder.write(readFile("\(packageFolder)/nginx/\(name)"), to: name)
        }
        let nginx = NginxConfiguration(port: port, workerSocket: socket).text
        let changed = nginx.replacing("http {\n", with: "http {\n\(believedAddress)\n", maxReplacements: 1)
        precondition(changed != nginx, "no http block in nginx.conf")
        try folder.write(changed, to: "nginx.conf")
    }

    /// Makes the Redis of the settings this deployment's, with the data that it has.
    static func adoptRedis(_ folder: TemporaryFolder) throws {
        // A worker reports settings that are invalid.
        guard let settings = try? Settings(SettingsSource(file: folder.path(of: "dialtone.conf"))) else { return }
        let marks = try settings.loadKeys().deploymentMarks
        var adoption: RedisAdoption?
        // Replicas that must confirm the mark may not be connected yet.
        _ = eventually {
            adoption = try? Store.adopt(settings.redis, shards: settings.shards, marks: marks, withData: true)
            return adoption != nil
        }
        guard adoption == .adopted || adoption == .known else {
            throw ServerFailure(description: "Redis was not adopted: \(String(describing: adoption))")
        }
    }

    /// Lets a test send from any address, including IPv6, as if behind a load balancer.
    private static let believedAddress = """
        set_real_ip_from 127.0.0.1;
        real_ip_header \(clientAddressHeader);
        """

    /// The header from which nginx takes a test's client address.
    static let clientAddressHeader = "X-Test-Client-Address"

    /// Makes nginx also serve TLS, as in production.
    static func serveTLS(_ folder: TemporaryFolder, _ port: UInt16, _ identity: TestAuthority.Identity) throws {
        try folder.write(identity.certificate, to: "certificate.pem")
        try folder.write(identity.privateKey, to: "key.pem")
        let plain = folder.read("nginx.conf")
        let changed = plain.replacing(
            "server {\n        listen",
            with: """
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate certificate.pem;
                    ssl_certificate_key key.pem;
                    listen
                """
        )
        precondition(changed != plain, "no server block in nginx.conf")
        try folder.write(changed, to: "nginx.conf")
    }

    static func endRepetition(_ folder: TemporaryFolder) throws {
        let name = "dialtone-locations.conf"
        let shipped = folder.read(name)
        let changed = shipped.replacing(#"if ($dialtone_may_repeat = "")"#, with: "if ($request_method)")
        precondition(changed != shipped, "nginx does not decide there any more what it repeats")
        try folder.write(changed, to: name)
    }
}
