/// The numbering plan of one calling code.
final class NumberingPlan: Sendable {
    let callingCode: Int
    let mainRegion: RegionPlan
    /// The main region first.
    let regions: [RegionPlan]

    /// Creates a plan from the facts about the regions of a calling code, of which the main region is first.
    init(_ facts: [RegionFacts]) throws(NumberingDataError) {
        var regions: [RegionPlan] = []
        for region in facts { regions.append(try RegionPlan(region)) }
        guard let main = regions.first else { throw .malformed("no region") }
        callingCode = main.callingCode
        mainRegion = main
        self.regions = regions
    }

    /// Returns why a national number is not possible; nil if it is.
    ///
    /// Plans grow, so a number of a length that the data do not know is possible, unless it is shorter than all numbers
    /// or can be dialed only within an area. Numbers of +1 have exactly ten digits.
    func obstacle(of national: [UInt8]) -> PhoneNumberError? {
        switch mainRegion.length(of: national) {
        case .known: nil
        case .tooShort, .local: .tooShort
        case .tooLong, .gap: callingCode == 1 ? .tooLong : nil
        }
    }

    /// Returns the region of a possible national number; nil if the data do not have the number's range.
    func region(of national: [UInt8]) -> RegionPlan? {
        guard mainRegion.lengths.contains(national.count) else { return nil }
        return regions.count == 1 ? mainRegion : regions.first { $0.claims(national) }
    }
}

/// One region's part of a numbering plan.
final class RegionPlan: Sendable {
    let callingCode: Int
    let region: Region
    let nationalPrefix: [UInt8]
    let lengths: LengthSet
    let formats: NumberFormats
    private let localLengths: LengthSet
    private let internationalPrefix: DigitPattern?
    private let prefix: DigitPattern?
    private let prefixReplacement: [UInt8]
    private let leadingDigits: DigitPattern?
    private let general: DigitPattern
    private let types: [(type: NumberType, lengths: LengthSet, pattern: DigitPattern)]
    /// Whether fixed lines and mobiles have the same pattern. Then `types` has only the fixed lines.
    private let mobilesAreFixedLines: Bool

    init(_ facts: RegionFacts) throws(NumberingDataError) {
        guard let general = facts.descriptions.first, let region = Region(facts.region) else {
            throw .malformed(facts.region)
        }
        callingCode = facts.callingCode
        self.region = region
        nationalPrefix = facts.nationalPrefix.utf8.map { $0 &- 0x30 }
        lengths = general.lengths
        localLengths = general.localLengths
        internationalPrefix = try Self.pattern(facts.internationalPrefix)
        prefix = try Self.pattern(facts.prefixPattern)
        prefixReplacement = Array(facts.prefixReplacement.utf8)
        leadingDigits = try Self.pattern(facts.leadingDigits)
        self.general = try DigitPattern(general.pattern)
        formats = try NumberFormats(facts.formats)
        let patterns = Dictionary(facts.descriptions.map { ($0.type, $0.pattern) }) { $1 }
        mobilesAreFixedLines =
            patterns[NumberType.mobile.rawValue] != nil
            && patterns[NumberType.mobile.rawValue] == patterns[NumberType.fixedLine.rawValue]
        var types: [(type: NumberType, lengths: LengthSet, pattern: DigitPattern)] = []
        for description in facts.descriptions.dropFirst() {
            guard let type = NumberType(rawValue: description.type) else { throw .malformed(description.type) }
            if type == .mobile, mobilesAreFixedLines { continue }
            types.append((type, description.lengths, try DigitPattern(description.pattern)))
        }
        self.types = types
    }

    private static func pattern(_ text: String) throws(NumberingDataError) -> DigitPattern? {
        text.isEmpty ? nil : try DigitPattern(text)
    }

    enum Length {
        case known, tooShort, local, tooLong, gap
    }

    func length(of national: [UInt8]) -> Length {
        if localLengths.contains(national.count) { return .local }
        if lengths.contains(national.count) { return .known }
        // A plan without numbers of its own.
        if lengths.isEmpty { return .gap }
        if national.count < lengths.shortest { return .tooShort }
        return national.count > lengths.longest ? .tooLong : .gap
    }

    /// Returns the type of a national number; nil if the number is in none of the region's ranges.
    func type(of national: [UInt8]) -> NumberType? {
        guard lengths.contains(national.count), general.matches(national) else { return nil }
        for (type, lengths, pattern) in types where matches(national, lengths, pattern) {
            guard type == .fixedLine else { return type }
            let isMobile = types.last.map { $0.type == .mobile && matches(national, $0.lengths, $0.pattern) } ?? false
            return mobilesAreFixedLines || isMobile ? .fixedLineOrMobile : .fixedLine
        }
        return nil
    }

    private func matches(_ national: [UInt8], _ lengths: LengthSet, _ pattern: DigitPattern) -> Bool {
        (lengths.isEmpty || lengths.contains(national.count)) && pattern.matches(national)
    }

    /// Returns whether a number is one of this region, if several regions share the calling code.
    func claims(_ national: [UInt8]) -> Bool {
        leadingDigits.map { $0.matches(national, .beginning) } ?? (type(of: national) != nil)
    }

    /// Returns whether a national number fits the region's general description.
    func isViable(_ national: [UInt8]) -> Bool { general.matches(national) }

    /// Returns a number without the prefix that is dialed before a calling code; nil if it does not begin with one.
    func withoutInternationalPrefix(_ digits: [UInt8]) -> [UInt8]? {
        guard let end = internationalPrefix?.beginning(of: digits)?.end else { return nil }
        // No calling code begins with 0.
        return digits[end...].first == 0 ? nil : Array(digits[end...])
    }

    /// Returns a national number without its national prefix or carrier code, if it has one.
    func withoutPrefix(_ digits: [UInt8]) -> [UInt8] {
        guard let shortened = shortened(digits) else { return digits }
        return isViable(digits) && !isViable(shortened) ? digits : shortened
    }

    /// Returns a national number without its prefix, if the rest is of a possible length.
    func national(_ digits: [UInt8]) -> [UInt8] {
        let shortened = withoutPrefix(digits)
        return switch length(of: shortened) {
        case .known, .tooLong: shortened
        case .tooShort, .local, .gap: digits
        }
    }

    private func shortened(_ digits: [UInt8]) -> [UInt8]? {
        guard let prefix, !digits.isEmpty, let match = prefix.beginning(of: digits) else { return nil }
        let rest = digits[match.end...]
        guard !prefixReplacement.isEmpty, let last = match.groups.last, last != nil else { return Array(rest) }
        var result: [UInt8] = []
        var text = prefixReplacement[...]
        while let byte = text.popFirst() {
            if byte == UInt8(ascii: "$"), let group = text.popFirst().map({ Int($0) - 0x31 }) {
                if match.groups.indices.contains(group), let range = match.groups[group] { result += digits[range] }
            } else {
                result.append(byte &- 0x30)
            }
        }
        return result + rest
    }
}

/// The type of a number. The raw values are the names in numbering data, in the order in which the types are tried.
enum NumberType: String, CaseIterable, Sendable {
    case premiumRate = "premium"
    case tollFree = "free"
    case sharedCost = "shared"
    case voip
    case personal
    case pager
    case uan
    case voicemail
    case fixedLine = "fixed"
    case mobile
    /// Not a name in the data: numbers of the region's fixed lines and mobiles look the same.
    case fixedLineOrMobile = "fixed-or-mobile"
}
