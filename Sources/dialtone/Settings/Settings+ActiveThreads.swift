import Redis
import Threads

extension Settings {
    /// How many threads of a worker are active at once where no setting says it; the others are for those that wait for a hook,
    /// a challenge's provider or a password's hash.
    ///
    /// One for each processor answers as many requests as sixteen do, and spends less: measured on two processors with two
    /// workers, a sixth less for a send and 4 % for a sign-in, and the slowest sign-ins take half as long. But then a thread
    /// holds its place while it waits for Redis. That is for microseconds where Redis is on the same machine, and else might
    /// be for longer than the request's own work: there all threads are active.
    static func activeThreads(using redis: ConnectionConfiguration) -> Int {
        let isNear = redis.endpoint.isLocal && redis.replicaConfirmation == nil
        return isNear ? max(2, Processors.count) : .max
    }
}
