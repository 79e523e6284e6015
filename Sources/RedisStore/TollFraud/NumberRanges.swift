/// The ranges of a project's number. Redis knows the narrow ones only by keyed hashes of the digits that their numbers
/// share.
public struct NumberRanges: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The region's code; empty if there is none.
    public let region: String
    /// The hash of the million numbers that differ only in the last six digits.
    public let series: String
    /// The hash of the ten thousand numbers that differ only in the last four digits.
    public let block: String

    /// Creates a number's ranges.
    public init(project: String, region: String, series: String, block: String) {
        self.project = project
        self.region = region
        self.series = series
        self.block = block
    }

    /// The keys, the widest range first.
    var keys: [String] {
        RangeKind.allCases.map { kind in
            switch kind {
            case .region: KeyNames.range(kind, project, region)
            case .series: KeyNames.range(kind, project, series)
            case .block: KeyNames.range(kind, project, block)
            }
        }
    }
}

/// The kinds of ranges, the widest first.
public enum RangeKind: String, Sendable, CaseIterable {
    case region
    case series
    case block
}

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
