/// The input of the toll fraud check, which decides whether sends to new clients are stepped up.
public struct TollFraudCheck: Sendable {
    let ranges: NumberRanges
    let bounds: RangeBounds
    let isEnforced: Bool
    let isHardProof: Bool
    let challengesNewClients: Bool
    let price: Int64
    let cap: Int64?
    let nearCapPercent: Int64
    let knownClientMilliseconds: Int64

    /// Collects the input.
    ///
    /// - Parameters:
    ///   - ranges: the number's ranges.
    ///   - bounds: the ranges' allowances.
    ///   - isEnforced: whether a send is refused if the check fails; otherwise the result is only recorded.
    ///   - isHardProof: whether the client has solved the hard challenge.
    ///   - challengesNewClients: whether new clients must solve the hard challenge in any case, because the number is
    ///     not in the numbering data.
    ///   - price: the expected price of the message, in millionths.
    ///   - cap: the region's spending cap per day, in millionths; nil for no cap.
    ///   - nearCapPercent: the percentage of the cap from which new clients are challenged.
    ///   - knownClientMilliseconds: how long a client that entered the number's correct code is known.
    public init(
        ranges: NumberRanges,
        bounds: RangeBounds,
        isEnforced: Bool,
        isHardProof: Bool,
        challengesNewClients: Bool = false,
        price: Int64,
        cap: Int64?,
        nearCapPercent: Int64,
        knownClientMilliseconds: Int64
    ) {
        self.ranges = ranges
        self.bounds = bounds
        self.isEnforced = isEnforced
        self.isHardProof = isHardProof
        self.challengesNewClients = challengesNewClients
        self.price = price
        self.cap = cap
        self.nearCapPercent = nearCapPercent
        self.knownClientMilliseconds = knownClientMilliseconds
    }
}
