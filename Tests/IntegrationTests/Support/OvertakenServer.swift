import TestServers

/// A server on which something else can happen before any script of a request: another request overtakes it there.
final class OvertakenServer: Sendable {
    let server: RunningServer
    private let proxy: RedisProxy

    init() throws {
        let redis = try RedisServer.start()
        proxy = try RedisProxy(to: redis)
        server = try RunningServer(
            workers: 2,
            settings: ["REDIS_ADDRESS": "unix:\(proxy.socketPath)", "THREADS": "2"],
            redis: redis
        )
    }

    /// Sends a request, and does something else before its script of this number, the first being 1.
    /// - Returns: the answer, and whether the request had so many scripts.
    func overtake(
        beforeScript script: Int,
        _ request: () throws -> HTTPAnswer,
        _ action: @escaping @Sendable () throws -> Void
    ) throws -> (answer: HTTPAnswer, isOvertaken: Bool) {
        proxy.overtake(beforeScript: script) { try? action() }
        let answer = try request()
        return (answer, proxy.hasInterrupted())
    }
}
