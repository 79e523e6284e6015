import Glibc
import Redis
import Testing

@testable import dialtone

@Suite struct ActiveThreadsSettingsTests {
    @Test("with a local Redis, the number of active threads is that of the processors")
    func near() throws {
        for text in ["unix:/run/redis.sock", "tcp:127.0.0.1:6379"] {
            let redis = ConnectionConfiguration(servers: ServerList(try #require(Endpoint(text))))
            #expect(Settings.activeThreads(using: redis) == max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        }
    }

    @Test("with a remote Redis or required replicas, all threads are active")
    func far() throws {
        let elsewhere = ConnectionConfiguration(servers: ServerList(.tcp(host: "redis.example.com", port: 6379)))
        #expect(Settings.activeThreads(using: elsewhere) == .max)
        let confirmation = try #require(ReplicaConfirmation(replicas: 1, milliseconds: 300))
        let confirmed = ConnectionConfiguration(
            servers: ServerList(.unix(path: "/run/redis.sock")),
            replicaConfirmation: confirmation
        )
        #expect(Settings.activeThreads(using: confirmed) == .max)
    }
}
