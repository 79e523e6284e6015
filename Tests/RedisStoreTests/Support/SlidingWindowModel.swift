@testable import RedisStore

/// A limit as one would count it on paper: for each send, when it leaves the window.
struct SlidingWindowModel {
    let limit: RateLimit
    private var leaves: [Int64] = []
    private var newestBucketBegins: Int64 = 0

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// How many sends there are in the window, and how long until one more fits in; 0 where it does.
    func look(at now: Int64) -> (sends: Int, wait: Int64) {
        let inside = leaves.filter { $0 > max(now, newestBucketBegins) }.sorted()
        guard inside.count >= limit.window.maximum else { return (inside.count, 0) }
        return (inside.count, inside[inside.count - limit.window.maximum] - now)
    }

    mutating func count(at now: Int64) {
        let bucket = limit.bucketMilliseconds
        guard bucket > 0 else {
            leaves.append(now + limit.window.milliseconds)
            return
        }
        // What another worker's clock, which is ahead, has begun is gone on with.
        newestBucketBegins = max(newestBucketBegins, now / bucket * bucket)
        leaves.append(newestBucketBegins + bucket + limit.window.milliseconds)
    }
}
