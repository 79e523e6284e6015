/// The allowances of ranges: how much debt each kind may have before SMS pumping is suspected.
public struct RangeBounds: Hashable, Sendable {
    let region: Int
    let series: Int
    let block: Int
    let creditPerVerified: Int
    let halfLifeMilliseconds: Int64

    /// Creates allowances: how many unverified messages each kind of range may have, the credit of a verified message
    /// in hundredths of a message, and the half-life of all counts.
    public init(region: Int, series: Int, block: Int, creditPerVerified: Int, halfLifeMilliseconds: Int64) {
        self.region = region
        self.series = series
        self.block = block
        self.creditPerVerified = creditPerVerified
        self.halfLifeMilliseconds = halfLifeMilliseconds
    }

    /// Returns the allowance of one kind of range.
    public func allowance(_ kind: RangeKind) -> Int {
        switch kind {
        case .region: region
        case .series: series
        case .block: block
        }
    }
}
