internal import Redis
public import RedisScripts

extension Store {
    /// Returns a project's test numbers: keyed hash → number and code, sealed.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbers(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.testNumbers(project)).fields(from: 0).dictionary
    }
}
