internal import RedisScripts

extension KeyNames {
    /// The messages to a range of numbers, and how many of them were verified: see `number-ranges.lua`.
    static func range(_ kind: RangeKind, _ name: String, of project: String) -> String {
        ofProject(project, "range", kind.rawValue, name)
    }

    static func region(_ ranges: NumberRanges) -> String { range(.region, ranges.region, of: ranges.project) }

    static func series(_ ranges: NumberRanges) -> String { range(.series, ranges.series, of: ranges.project) }

    static func block(_ ranges: NumberRanges) -> String { range(.block, ranges.block, of: ranges.project) }

    /// A pattern that matches the key of each block of a project's numbers.
    static func anyBlock(of project: String) -> String { range(.block, "*", of: project) }

    /// Hash of a day: region → what was spent, in millionths. A message counts from the send on.
    static func spending(of project: String, day: Int64) -> String { ofProject(project, "spending", String(day)) }

    /// Hash of a day: event, region, series and gateway → amount. It is divided by the series' last character, because
    /// Redis searches a small hash field by field.
    static func ledger(of project: String, day: Int64, series: String) -> String {
        ofProject(project, "ledger", String(day), String(series.suffix(1)))
    }

    /// Returns the keys of a day's ledger. Hashes of series are in Base64url.
    static func ledgers(of project: String, day: Int64) -> [String] {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".map {
            ledger(of: project, day: day, series: String($0))
        }
    }

    /// Hash: series → its digits, sealed.
    static func seriesNames(of project: String) -> String { ofProject(project, "series-names") }
}
