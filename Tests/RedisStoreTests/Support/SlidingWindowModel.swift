@testable import RedisStore

/// A simple model of a limit: the time at which each send leaves the window.
struct SlidingWindowModel {
    let limit: RateLimit
    private var leaves: [Int64] = []
    private var newestBucketBegins: Int64 = 0

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Returns the number of sends in the window and the time until one more fits, which is 0 if one fits now.
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
        // A bucket that another worker's fast clock has started continues to be used.
        newestBucketBegins = max(newestBucketBegins, now / bucket * bucket)
        leaves.append(newestBucketBegins + bucket + limit.window.milliseconds)
    }
}
