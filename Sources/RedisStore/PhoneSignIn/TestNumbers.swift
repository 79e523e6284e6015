internal import Redis

extension Store {
    /// Returns a project's test numbers: keyed hash → number and code, sealed.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbers(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.testNumbers(project)).fields(from: 0).dictionary
    }

    /// Adds or replaces a test number. Returns false if there are `atMost` others already.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func setTestNumber(
        _ hash: String,
        _ sealed: [UInt8],
        of project: String,
        atMost maximum: Int
    ) throws(StoreUnavailable) -> Bool {
        try run(
            .setTestNumber,
            isConfirmed: true,
            keys: ["testNumbersKey": KeyNames.testNumbers(project)],
            ["hash": .text(hash), "sealed": .bytes(sealed), "maximum": .count(maximum)]
        ).integer() == 1
    }

    /// Removes a test number. Returns false if it did not exist.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func removeTestNumber(_ hash: String, of project: String) throws(StoreUnavailable) -> Bool {
        try sendConfirmed("HDEL", [KeyNames.testNumbers(project), hash]).integer() == 1
    }
}
