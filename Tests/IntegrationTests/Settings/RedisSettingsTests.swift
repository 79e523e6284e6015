import APNsStandIn
import Processes
import Redis
import TestServers
import Testing

@testable import dialtone

/// The settings of the connection to Redis.
@Suite struct RedisSettingsTests {
    private static func settings(_ redis: [String: String]) throws -> Settings {
        let needed = ["PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "KEY_FILE": "/etc/dialtone/keys.json"]
        let settings = needed.merging(redis.map { ("REDIS_\($0.key)", $0.value) }) { $1 }
        return try Settings(
            SettingsSource(
                file: nil,
                environment: Dictionary(uniqueKeysWithValues: settings.map { ("DIALTONE_\($0.key)", $0.value) })
            )
        )
    }

    private static func lines(_ redis: [String: String]) -> [String] {
        (#expect(throws: Failure.self) { try settings(redis) })?.lines ?? []
    }

    @Test(
        "user, password and database come from the address or from their own settings",
        arguments: [
            ["ADDRESS": "redis://app:a%40b@redis.example.com/3"],
            ["ADDRESS": "redis://app@redis.example.com/3", "PASSWORD": "a@b"],
            ["ADDRESS": "redis://:a%40b@redis.example.com", "USER": "app", "DATABASE": "3"],
            ["ADDRESS": "tcp:redis.example.com:6379", "USER": "app", "PASSWORD": "a@b", "DATABASE": "3"],
            ["ADDRESS": "redis://app:a%40b@redis.example.com/3", "USER": "app", "PASSWORD": "a@b", "DATABASE": "3"],
        ]
    )
    func accepted(redis: [String: String]) throws {
        let connection = try Self.settings(redis).redis
        #expect(connection.servers == ServerList(.tcp(host: "redis.example.com", port: 6379)))
        #expect(connection.user == "app" && connection.password == "a@b" && connection.database == 3)
        #expect(connection.tls == nil)
    }

    @Test("an address without a database uses the one in its own setting, which is 0 by default")
    func database() throws {
        #expect(try Self.settings(["ADDRESS": "redis://redis.example.com"]).redis.database == 0)
        #expect(try Self.settings(["ADDRESS": "redis://redis.example.com/0"]).redis.database == 0)
    }

    @Test(
        "an invalid setting is reported in one line with its name, without a secret",
        arguments: [
            (
                ["ADDRESS": "http://redis.example.com"],
                #"ADDRESS: "http://redis.example.com" is not redis://host:port, rediss://host:port, redis+sentinel://host:port,…/master, rediss+sentinel://host:port,…/master, redis+cluster://host:port,…, rediss+cluster://host:port,…, tcp:host:port or unix:/path"#
            ),
            (
                ["ADDRESS": "redis://app:hunter2@redis.example.com/x"],
                #"ADDRESS: "…@redis.example.com/x": the path must be the number of a database, such as /0"#
            ),
            (
                ["ADDRESS": "redis://app:hunter2"],
                #"ADDRESS: "redis://…": each host must be a name, an IPv4 address or an [IPv6 address], with or without :port"#
            ),
            (
                ["ADDRESS": "redis://app:hunter2@a", "USER": "other"],
                #"USER: "other": DIALTONE_REDIS_ADDRESS contains a different user; remove one of them"#
            ),
            (
                ["ADDRESS": "redis://app:hunter2@a", "PASSWORD": "hunter3"],
                "PASSWORD: DIALTONE_REDIS_ADDRESS contains a different password; remove one of them"
            ),
            (
                ["ADDRESS": "redis://a/1", "DATABASE": "0"],
                #"DATABASE: "0": DIALTONE_REDIS_ADDRESS contains a different database; remove one of them"#
            ),
            (
                ["ADDRESS": "redis://app@a"],
                #"ADDRESS: "…@a": a user without a password: use user:password@host, or set DIALTONE_REDIS_PASSWORD"#
            ),
            (
                ["ADDRESS": "redis://a", "TLS_CA_FILE": "/ca.pem"],
                #"TLS_CA_FILE: "/ca.pem": has no effect because DIALTONE_REDIS_ADDRESS does not begin with rediss; remove it"#
            ),
            (
                ["ADDRESS": "unix:/a", "TLS_SERVER_NAME": "a"],
                #"TLS_SERVER_NAME: "a": has no effect because DIALTONE_REDIS_ADDRESS does not begin with rediss; remove it"#
            ),
            (
                ["ADDRESS": "redis://a", "SENTINEL_PASSWORD": "hunter2"],
                "SENTINEL_PASSWORD: has no effect because DIALTONE_REDIS_ADDRESS names no Sentinels; remove it"
            ),
            (
                ["ADDRESS": "redis+sentinel://a/main", "SENTINEL_USER": "app"],
                "SENTINEL_PASSWORD: not set, but required with DIALTONE_REDIS_SENTINEL_USER"
            ),
            (
                ["ADDRESS": "redis+sentinel://app:hunter2@a,b"],
                #"ADDRESS: "…@a,b": the path must be the name of a master: letters, digits, dashes, dots and underscores"#
            ),
            (
                ["ADDRESS": "rediss://a", "TLS_SERVER_NAME": "a:6379"],
                #"TLS_SERVER_NAME: "a:6379" is not a host name or an IP address"#
            ),
            (
                ["ADDRESS": "rediss://a", "TLS_CERTIFICATE_FILE": "/client.pem"],
                "TLS_KEY_FILE: not set, but required with DIALTONE_REDIS_TLS_CERTIFICATE_FILE"
            ),
            (
                ["ADDRESS": "rediss://a", "TLS_KEY_FILE": "/key.pem"],
                "TLS_CERTIFICATE_FILE: not set, but required with DIALTONE_REDIS_TLS_KEY_FILE"
            ),
            (
                ["ADDRESS": "rediss://a", "TLS_CA_FILE": "/none/ca.pem"],
                "TLS_CA_FILE: /none/ca.pem: No such file or directory"
            ),
            (
                ["ADDRESS": "rediss://a", "TLS_CA_FILE": "/dev/null"],
                #"TLS_CA_FILE: "/dev/null" is not a PEM file of certificates"#
            ),
        ] as [([String: String], String)]
    )
    func faults(redis: [String: String], line: String) {
        #expect(Self.lines(redis) == ["DIALTONE_REDIS_\(line)"])
    }

    @Test("a client certificate must be valid and match its key")
    func identity() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let authority = try TestAuthority()
        let (one, other) = (
            try authority.clientIdentity(commonName: "a"), try authority.clientIdentity(commonName: "b")
        )
        try folder.write(one.certificate, to: "one.pem")
        try folder.write(one.privateKey, to: "one-key.pem")
        try folder.write(other.privateKey, to: "other-key.pem")
        func lines(_ certificate: String, _ key: String) -> [String] {
            Self.lines([
                "ADDRESS": "rediss://a", "TLS_CERTIFICATE_FILE": folder.path(of: certificate),
                "TLS_KEY_FILE": folder.path(of: key),
            ])
        }
        let path = folder.path(of: "one-key.pem")
        #expect(
            lines("one-key.pem", "one-key.pem") == [
                "DIALTONE_REDIS_TLS_CERTIFICATE_FILE: \"\(path)\": the certificate cannot be used: "
                    + "not PEM certificates"
            ]
        )
        #expect(lines("one.pem", "other-key.pem").first?.contains("not the unencrypted PEM private key") == true)
        let settings = try Self.settings([
            "ADDRESS": "rediss://a", "TLS_CERTIFICATE_FILE": folder.path(of: "one.pem"), "TLS_KEY_FILE": path,
        ])
        #expect(settings.redis.tls != nil)
    }
}
