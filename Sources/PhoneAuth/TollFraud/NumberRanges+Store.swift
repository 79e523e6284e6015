internal import RedisScripts

/// The ranges of a project's number. Redis knows the narrow ones only by keyed hashes of the digits that their numbers
/// share.
public struct NumberRanges: Hashable, Sendable {
    /// The project's id.
    public let project: String
    /// The region's code.
    let region: String
    /// Whether the numbering data do not know the number. It has the ranges of its neighbors, and lines of its own in
    /// the ledger.
    private(set) var isUnknown = false
    /// The hash of the million numbers that differ only in the last six digits.
    let series: String
    /// The hash of the ten thousand numbers that differ only in the last four digits.
    let block: String
}

/// One range of a project's numbers.
struct NumberRange: Hashable, Sendable {
    let kind: RangeKind
    let project: String
    /// The region's code, or a hash, see ``NumberRanges``.
    let name: String

    /// Creates a region, by its code.
    static func region(_ code: String, of project: String) -> NumberRange {
        NumberRange(kind: .region, project: project, name: code)
    }

    /// Creates a series, by its hash.
    static func series(_ hash: String, of project: String) -> NumberRange {
        NumberRange(kind: .series, project: project, name: hash)
    }

    /// Creates a block, by its hash.
    static func block(_ hash: String, of project: String) -> NumberRange {
        NumberRange(kind: .block, project: project, name: hash)
    }

    /// The key with the counts of the range.
    var key: String { KeyNames.range(kind, name, of: project) }
}
