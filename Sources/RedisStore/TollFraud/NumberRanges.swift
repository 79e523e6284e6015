/// The ranges that a number of a project is in, as Redis may know them: narrow ones by a keyed hash of what their numbers
/// have in common.
public struct NumberRanges: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The region's code; empty where there is none.
    public let region: String
    /// The million numbers that differ in the last six digits.
    public let series: String
    /// The ten thousand numbers that differ in the last four digits.
    public let block: String

    /// Names a number's ranges.
    public init(project: String, region: String, series: String, block: String) {
        self.project = project
        self.region = region
        self.series = series
        self.block = block
    }

    /// The widest first.
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

/// What ranges may owe.
public struct RangeBounds: Hashable, Sendable {
    let region: Int
    let series: Int
    let block: Int
    let creditPerVerified: Int
    let halfLifeMilliseconds: Int64

    /// How many messages each kind of range may leave unanswered, how many hundredths of one a verified message makes up for, and after how
    /// long everything counts half.
    public init(region: Int, series: Int, block: Int, creditPerVerified: Int, halfLifeMilliseconds: Int64) {
        self.region = region
        self.series = series
        self.block = block
        self.creditPerVerified = creditPerVerified
        self.halfLifeMilliseconds = halfLifeMilliseconds
    }

    /// How much one kind may owe.
    public func allowance(_ kind: RangeKind) -> Int {
        switch kind {
        case .region: region
        case .series: series
        case .block: block
        }
    }
}
