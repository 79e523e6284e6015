import TestServers

/// A server on which another request can overtake a request before any of its scripts.
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

    /// Sends a request, and runs `action` before the script with this number, counted from 1.
    /// - Returns: the response, and whether the request had this number of scripts.
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
