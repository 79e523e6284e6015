import APNsStandIn
import Processes
import TestServers
import Testing

/// A deployment that connects to Redis over TLS.
@Suite struct EncryptedRedisTests {
    @Test("users sign in over TLS with a client certificate, and no output contains the password of the Redis address")
    func signIn() throws {
        let authority = try TestAuthority()
        let (identity, client) = (try authority.serverIdentity(), try authority.clientIdentity(commonName: "dialtone"))
        let redis = try RedisServer.start(
            isPersistent: true,
            user: .init("app", password: "pa/ss@word"),
            tls: .init(
                authority: authority.certificatePEM,
                certificate: identity.certificate,
                privateKey: identity.privateKey,
                requiresClients: true
            )
        )
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(authority.certificatePEM, to: "ca.pem")
        try folder.write(client.certificate, to: "client.pem")
        try folder.write(client.privateKey, to: "client-key.pem")
        let address = "127.0.0.1:\(try #require(redis.tlsPort))"
        let server = try RunningServer(
            settings: [
                "REDIS_ADDRESS": "rediss://app:pa%2Fss%40word@\(address)/0",
                "REDIS_TLS_CA_FILE": folder.path(of: "ca.pem"),
                "REDIS_TLS_CERTIFICATE_FILE": folder.path(of: "client.pem"),
                "REDIS_TLS_KEY_FILE": folder.path(of: "client-key.pem"),
            ],
            redis: redis
        )
        #expect(try server.signInFresh("+16505550131").status == 200)
        let check = try server.dialtone("config", "check")
        #expect(check.output.contains("tcp:\(address) TLS=on user=app password=set database=0\n"))
        #expect(!check.output.contains("without TLS"))
        let diagnosis = try server.dialtone("doctor")
        #expect(diagnosis.status == .exited(0), "\(diagnosis.output)\(diagnosis.errors)")
        #expect(try server.makeBackupKey(server.backupKey).isFine)
        let backup = try server.backup()
        #expect(backup.isFine && !backup.errors.contains("pa/ss@word"), "\(backup.errors)")
        redis.cli("FLUSHALL")
        let restored = try server.restore("--verify")
        #expect(restored.isFine && restored.output.contains("decrypted 1 accounts"), "\(restored.errors)")
        redis.stop()
        let failed = try server.dialtone("doctor")
        #expect(failed.output.contains("Connection refused"))
        for output in [check.output, restored.output, diagnosis.output, failed.output, server.log] {
            #expect(!output.contains("pa/ss@word") && !output.contains("pa%2Fss"))
        }
    }
}
