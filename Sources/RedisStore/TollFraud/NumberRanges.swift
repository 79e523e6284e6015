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

    /// The ranges, the widest first.
    var all: [NumberRange] { RangeKind.allCases.map(range) }

    func range(_ kind: RangeKind) -> NumberRange {
        switch kind {
        case .region: NumberRange(.region, project, region)
        case .series: NumberRange(.series, project, series)
        case .block: NumberRange(.block, project, block)
        }
    }
}

/// The kinds of ranges, the widest first.
public enum RangeKind: String, Sendable, CaseIterable {
    case region
    case series
    case block
}

/// One range of a project's numbers.
struct NumberRange: Hashable {
    let kind: RangeKind
    let project: String
    /// The region's code, or a hash, see ``NumberRanges``.
    let name: String

    init(_ kind: RangeKind, _ project: String, _ name: String) {
        self.kind = kind
        self.project = project
        self.name = name
    }

    /// Returns the shard of the range, and of what is stored about it. A region has one shard for all projects, because
    /// they share the day's spending on it.
    func shard(among shards: ShardCount) -> Shard { shards.shard(of: name.stableHash()) }
}

extension Store {
    func key(of range: NumberRange) -> String { KeyNames.range(range, range.shard(among: shards)) }
}
