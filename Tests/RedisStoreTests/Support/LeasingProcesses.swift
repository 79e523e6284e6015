import TestServers

@testable import RedisStore

/// Tests of processes that count in blocks, connected through a proxy.
protocol LeasingProcesses {
    var test: TestStore { get }
    var proxy: RedisProxy { get }
}

extension LeasingProcesses {
    /// Returns the store of a process with these leases. The proxy counts its scripts.
    func store(_ leasedEvents: LeasedEvents) -> Store {
        Store(
            TestStore.configuration(test.redis, over: proxy.socketPath),
            shards: .standard,
            leasedEvents: leasedEvents
        )
    }
}
