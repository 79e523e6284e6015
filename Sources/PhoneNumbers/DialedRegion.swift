/// A region, as an entry in a list of countries.
public struct DialedRegion: Sendable, Equatable {
    /// The region.
    public let region: Region
    /// Its calling code, without the plus sign.
    public let callingCode: Int
    /// Whether the region is the main one of its calling code, as US is for +1.
    public let isMainOfCallingCode: Bool
    /// A mobile number in national format that is not in use; empty if the data have no example.
    public let example: String

    /// Describes a geographic region; nil for others.
    init?(_ facts: RegionFacts, mainRegion: String, _ formats: NumberFormats?) {
        guard let region = Region(facts.region), region != .nonGeographic else { return nil }
        self.region = region
        callingCode = facts.callingCode
        isMainOfCallingCode = facts.region == mainRegion
        let digits = facts.descriptions.first { $0.type == NumberType.mobile.rawValue }?.example.utf8.map { $0 &- 0x30 }
        example = digits.flatMap { formats?.format($0, .national) } ?? ""
    }
}
