/// What decides whether sends to new clients are stepped up.
public struct TollFraudCheck: Sendable {
    let ranges: NumberRanges
    let bounds: RangeBounds
    let isEnforced: Bool
    let isHardProof: Bool
    let price: Int64
    let cap: Int64?
    let nearCapPercent: Int64
    let knownClientMilliseconds: Int64

    /// Everything is needed.
    ///
    /// - Parameters:
    ///   - ranges: the number's.
    ///   - bounds: what they may owe.
    ///   - isEnforced: whether a message that should not be sent is refused; else that is remembered only.
    ///   - isHardProof: whether the client has solved the hard challenge.
    ///   - price: what the message is expected to cost, in millionths.
    ///   - cap: what may be spent on the region today, in millionths; nil for no bound.
    ///   - nearCapPercent: from which share of the cap on new clients are challenged.
    ///   - knownClientMilliseconds: how long a client that gave the number's right code is not new.
    public init(
        ranges: NumberRanges,
        bounds: RangeBounds,
        isEnforced: Bool,
        isHardProof: Bool,
        price: Int64,
        cap: Int64?,
        nearCapPercent: Int64,
        knownClientMilliseconds: Int64
    ) {
        self.ranges = ranges
        self.bounds = bounds
        self.isEnforced = isEnforced
        self.isHardProof = isHardProof
        self.price = price
        self.cap = cap
        self.nearCapPercent = nearCapPercent
        self.knownClientMilliseconds = knownClientMilliseconds
    }
}
