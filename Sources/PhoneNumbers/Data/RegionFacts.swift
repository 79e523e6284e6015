/// What the data state about one region, as texts. The data file has one line for each fact: a name and values,
/// separated by tabs. A region begins with its calling code and its code.
struct RegionFacts: Equatable {
    var callingCode = 0
    /// A region code, or `001`.
    var region = ""
    /// Whether the region is marked as the main one of a calling code that several regions share.
    var isMain = false
    /// The pattern of the prefix that is dialed before a calling code.
    var internationalPrefix = ""
    /// The digits that are dialed before a national number.
    var nationalPrefix = ""
    /// The pattern of what may precede a national number, such as a national prefix or a carrier's code.
    var prefixPattern = ""
    /// What replaces the prefix, such as `9$1`; usually nothing.
    var prefixReplacement = ""
    /// The pattern of the first digits that only this region of a calling code has.
    var leadingDigits = ""
    /// The general description, which is always first, and the numbers of each type.
    var descriptions: [Description] = []
    var formats: [Format] = []

    struct Description: Equatable {
        var type = ""
        var lengths = LengthSet()
        /// Lengths that can be dialed only within an area.
        var localLengths = LengthSet()
        var example = ""
        var pattern = ""
    }

    struct Format: Equatable {
        /// Groups of digits, such as `(\d{3})(\d{4})`.
        var pattern = ""
        /// The pattern of the first digits of the numbers that have this format; empty for all.
        var leadingDigits = ""
        /// The format, such as `$1-$2`.
        var format = ""
        /// What replaces the first group in national format, such as `(0$1)`; usually empty.
        var firstGroup = ""
        /// The international format, if it differs; `-` if the format is only national.
        var international = ""
    }

    /// The name of the general description.
    static let general = "general"
}

extension RegionFacts {
    /// The facts as lines of a data file.
    var lines: String {
        var text = "+\(callingCode)\t\(region)\(isMain ? "\tmain" : "")\n"
        let prefixes = [
            ("international", internationalPrefix), ("national", nationalPrefix), ("prefix", prefixPattern),
            ("replacement", prefixReplacement), ("leading", leadingDigits),
        ]
        for (name, value) in prefixes where !value.isEmpty { text += "\(name)\t\(value)\n" }
        for description in descriptions {
            let values = [
                description.type, description.lengths.text, description.localLengths.text, description.example,
                description.pattern,
            ]
            text += values.joined(separator: "\t") + "\n"
        }
        for format in formats {
            let values = [
                "format", format.pattern, format.leadingDigits, format.format, format.firstGroup,
                format.international,
            ]
            // No line ends with a tab, because editors remove white space from the ends of lines.
            let count = values.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
            text += values[..<count].joined(separator: "\t") + "\n"
        }
        return text
    }

    /// Reads the lines of one region.
    init(lines: String) throws(NumberingDataError) {
        for line in lines.split(separator: Character("\n")) {
            let values = line.split(separator: Character("\t"), omittingEmptySubsequences: false).map(String.init)
            try read(values, of: String(line))
        }
        guard descriptions.first?.type == Self.general else { throw .malformed("+\(callingCode) \(region)") }
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    private mutating func read(_ values: [String], of line: String) throws(NumberingDataError) {
        let name = values[0]
        switch (name, values.count) {
        case ("international", 2): internationalPrefix = values[1]
        case ("national", 2) where Self.isDigits(values[1]): nationalPrefix = values[1]
        case ("prefix", 2): prefixPattern = values[1]
        case ("replacement", 2) where Self.isDigits(values[1].filter { $0 != "$" }): prefixReplacement = values[1]
        case ("leading", 2): leadingDigits = values[1]
        case ("format", 4...6):
            formats.append(
                Format(
                    pattern: values[1],
                    leadingDigits: values[2],
                    format: values[3],
                    firstGroup: values.count > 4 ? values[4] : "",
                    international: values.count > 5 ? values[5] : ""
                )
            )
        case (_, 2...3) where name.hasPrefix("+"):
            guard let code = Int(name.dropFirst()), (1...999).contains(code), Region(values[1]) != nil else {
                throw .malformed(line)
            }
            callingCode = code
            region = values[1]
            isMain = values.count == 3
        case (_, 5):
            guard let lengths = LengthSet(values[1]), let localLengths = LengthSet(values[2]),
                Self.isDigits(values[3])
            else { throw .malformed(line) }
            descriptions.append(
                Description(
                    type: name,
                    lengths: lengths,
                    localLengths: localLengths,
                    example: values[3],
                    pattern: values[4]
                )
            )
        default: throw .malformed(line)
        }
    }
}

/// A set of numbers of digits, up to 31.
struct LengthSet: Equatable, Sendable {
    private(set) var bits: UInt32 = 0

    init() {}

    /// Parses `7,9-11` or `[9-11]`; an empty text is an empty set.
    init?(_ text: String) {
        for part in text.split(separator: ",") {
            let ends = part.filter { $0 != "[" && $0 != "]" }.split(separator: "-").map { Int($0) ?? -1 }
            guard let low = ends.first, let high = ends.last, ends.count <= 2, 0 <= low, low <= high, high < 32 else {
                return nil
            }
            for length in low...high { bits |= 1 << UInt32(length) }
        }
    }

    var isEmpty: Bool { bits == 0 }
    var shortest: Int { bits.trailingZeroBitCount }
    var longest: Int { 31 - bits.leadingZeroBitCount }
    func contains(_ length: Int) -> Bool { length < 32 && bits >> UInt32(length) & 1 == 1 }
    mutating func formUnion(_ other: Self) { bits |= other.bits }
    mutating func subtract(_ other: Self) { bits &= ~other.bits }

    /// The lengths, as ``init(_:)`` parses them.
    var text: String {
        (0..<32).filter(contains).map(String.init).joined(separator: ",")
    }
}
