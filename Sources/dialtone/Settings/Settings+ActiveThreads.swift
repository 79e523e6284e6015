import Redis
import Threads

extension Settings {
    /// Returns the default number of a worker's threads that are active at once. The other threads replace threads that
    /// are waiting for a blocking hook, a challenge provider or a password hash.
    ///
    /// One active thread per processor has the same throughput as sixteen threads, at a lower cost. On two processors
    /// with two workers, the measurements were: a sixth less for a send, 4 % less for a sign-in, and half the time for
    /// the slowest sign-ins. But a thread stays active while it waits for Redis. If Redis is on the same machine, this
    /// wait takes microseconds. Otherwise, it may take longer than the request's own work, so all threads are active.
    static func activeThreads(using redis: ConnectionConfiguration) -> Int {
        let isNear = redis.servers.isLocal && redis.replicaConfirmation == nil
        return isNear ? max(2, Processors.count) : .max
    }
}
