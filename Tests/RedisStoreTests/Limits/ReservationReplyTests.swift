import Redis
import Testing

@testable import RedisStore

/// Replies that no script of Dialtone gives.
@Suite struct ReservationReplyTests {
    @Test("a number of events beyond the range of Int does not end the process")
    func smallest() throws {
        let configuration = ConnectionConfiguration(
            servers: ServerList(.unix(path: "/unused")),
            connectTimeout: .seconds(1),
            commandTimeout: .seconds(1)
        )
        let store = Store(configuration, shards: .standard)
        let limit = RateLimit.pushes(
            to: DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9)),
            .hour(1)
        )
        let started = store.startReservation(of: [limit], eventID: "a", now: 0)
        #expect(try store.finish(started, [ScriptReply(.integer(.min))]).events == [.max])
    }
}
