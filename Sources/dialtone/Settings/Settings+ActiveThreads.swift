import Redis
import Threads

extension Settings {
    /// Returns the default number of a worker's threads that are active at once. The other threads replace those that
    /// wait for a blocking hook, a challenge provider or a password hash.
    ///
    /// One active thread per processor has the throughput of sixteen, at a lower cost. Measured on two processors with
    /// two workers: a sixth less for a send, 4 % less for a sign-in, and the slowest sign-ins take half as long. But a
    /// thread stays active while it waits for Redis. If Redis is on the same machine, the wait is microseconds.
    /// Otherwise it may exceed the request's own work, so all threads are active.
    static func activeThreads(using redis: ConnectionConfiguration) -> Int {
        let isNear = redis.servers.isLocal && redis.replicaConfirmation == nil
        return isNear ? max(2, Processors.count) : .max
    }
}
