import PhoneAuth
import Redis
import RedisScripts

extension SettingsTable {
    static var redis: [Setting<DeploymentValues>] {
        [
            Setting(
                "REDIS_ADDRESS",
                \.redis.address,
                redisAddress,
                unset: .required,
                example: "redis://127.0.0.1:6379"
            ) {
                """
                The address of Redis: redis://host:port, rediss://host:port (TLS) or unix:/path; for Redis Sentinel
                redis+sentinel://host:port,host:port,host:port/master-name or rediss+sentinel://…; for Redis Cluster
                redis+cluster://host:port,host:port,host:port or rediss+cluster://…, with some of its nodes. A URL may
                contain user, password and database (rediss://user:password@host:port/0), percent-encoded: @ is %40, /
                is %2F. If it lists several servers (redis://host:port,host:port), the first one that is reachable and
                not a replica is used. tcp:host:port is the same as redis://host:port. The maxmemory-policy of Redis
                must be noeviction, and its data must survive a restart. Check it with: dialtone doctor
                """
            },
            Setting("REDIS_USER", \.redis.user, .text, unset: "the default user", example: "dialtone") {
                "The ACL user, if the address contains none."
            },
            Setting(
                "REDIS_PASSWORD",
                \.redis.password,
                .text,
                unset: "no authentication",
                isSecret: true,
                example: "secret"
            ) {
                "The password of the user, if the address contains none."
            },
            Setting("REDIS_DATABASE", \.redis.database, .number(0...65_535)) {
                "The number of the database, if the address contains none."
            },
            Setting(
                "REDIS_SENTINEL_USER",
                \.redis.sentinelUser,
                .text,
                unset: "the default user",
                example: "dialtone"
            ) {
                "The ACL user of the Sentinels."
            },
            Setting(
                "REDIS_SENTINEL_PASSWORD",
                \.redis.sentinelPassword,
                .text,
                unset: "no authentication to the Sentinels",
                isSecret: true,
                example: "secret"
            ) {
                "The password of this user. The Sentinels never receive the user and password of Redis."
            },
            Setting(
                "REDIS_TLS_CA_FILE",
                \.redis.tls.authoritiesFile,
                .text,
                unset: "the system's certificates",
                example: "/etc/dialtone/redis-ca.pem"
            ) {
                """
                A PEM file with the CA certificates to trust for Redis. Each server's certificate must have the host of
                the address as a subject alternative name.
                """
            },
            Setting(
                "REDIS_TLS_CERTIFICATE_FILE",
                \.redis.tls.certificateFile,
                .text,
                unset: "no client certificate",
                example: "/etc/dialtone/redis-client.pem"
            ) {
                """
                A PEM file with the client certificate, for a Redis with tls-auth-clients yes. Intermediate certificates
                may follow it.
                """
            },
            Setting(
                "REDIS_TLS_KEY_FILE",
                \.redis.tls.keyFile,
                .text,
                unset: "no client certificate",
                example: "/etc/dialtone/redis-client-key.pem"
            ) {
                "An unencrypted PEM file with the private key of the client certificate."
            },
            Setting(
                "REDIS_TLS_SERVER_NAME",
                \.redis.tls.serverName,
                .text("a host name or an IP address") { RedisAddress.isHost($0) },
                unset: "the host of the address",
                example: "redis.example.com"
            ) {
                "The host name or IP address in the certificates of Redis, if it is not the host of the address."
            },
            Setting("REDIS_CONNECT_TIMEOUT_MILLISECONDS", \.redis.connectTimeout, .milliseconds(10...30_000)) {
                "How long opening a connection may take."
            },
            Setting("REDIS_COMMAND_TIMEOUT_MILLISECONDS", \.redis.commandTimeout, .milliseconds(10...30_000)) {
                """
                How long a command may take. After that, a worker repeats the command once on a new connection if that
                is safe, and waits until the deadline of the request. At most half of a worker's threads do so at the
                same time.
                """
            },
            Setting("REDIS_REPLICAS_BEFORE_ANSWER", \.redis.replicasBeforeAnswer, .number(0...16)) {
                """
                The number of replicas that must confirm a sign-in, a send, or a change of accounts, configuration or
                admin tokens before it is acknowledged. If fewer confirm it, the response is 503, although the change
                may have been made; repeating the request is safe.
                """
            },
            Setting("REDIS_REPLICA_TIMEOUT_MILLISECONDS", \.redis.replicaTimeout, .milliseconds(1...30_000)) {
                "How long replicas have to confirm a change; less than the timeout of a command."
            },
            Setting(
                "SHARDS",
                \.shards,
                SettingKind(
                    domain: "1 to 4096",
                    form: "a number from 1 to 4096",
                    parse: { Int($0).flatMap { ShardCount($0) } },
                    show: { "\($0.value)" }
                )
            ) {
                "The number of shards that keys are divided into. It cannot be changed once a deployment is in use."
            },
        ]
    }

    private static var redisAddress: SettingKind<RedisAddress> {
        SettingKind(
            parse: { text throws(SettingFault) in
                do throws(RedisAddressFault) {
                    return try RedisAddress(text)
                } catch .because(let reason) {
                    throw .because(reason)
                } catch {
                    throw .isNot(
                        "redis://host:port, rediss://host:port, redis+sentinel://host:port,…/master, "
                            + "rediss+sentinel://host:port,…/master, redis+cluster://host:port,…, "
                            + "rediss+cluster://host:port,…, tcp:host:port or unix:/path"
                    )
                }
            },
            show: \.description
        )
    }
}
