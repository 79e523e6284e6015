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

    /// The region's code for metrics, in which an empty label would be a missing one.
    var metricRegion: String { region.isEmpty ? "none" : region }

    var regionKey: String { KeyNames.range(.region, project, region) }
    var seriesKey: String { KeyNames.range(.series, project, series) }
    var blockKey: String { KeyNames.range(.block, project, block) }
}

/// The kinds of ranges, the widest first.
public enum RangeKind: String, Sendable, CaseIterable {
    case region
    case series
    case block
}
