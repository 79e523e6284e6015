internal import Encodings

/// A new data file: the conversion of libphonenumber's `PhoneNumberMetadata.xml`.
public struct NumberingDataFile {
    /// The content.
    public let bytes: [UInt8]

    /// Converts the XML form of libphonenumber's metadata.
    ///
    /// - Parameters:
    ///   - content: the content of the file.
    ///   - version: the version of the metadata, which their text does not state.
    ///   - date: the date of the version, such as `2026-11-06`.
    /// - Throws: ``NumberingDataError`` for the first element that cannot be read.
    public init(xml content: [UInt8], version: String, date: String) throws(NumberingDataError) {
        guard NumberingData.isDate(date) else { throw .malformed(date) }
        guard NumberingVersion(version) != nil else { throw .malformed(version) }
        var text = Self.header
        text += "\(NumberingData.formName)\t\(NumberingData.formVersion)\t\(version)\t\(date)\n"
        for region in try Self.regions(XMLScanner(content)) { text += region.lines }
        text += NumberingData.end.description.dropFirst()
        bytes = Array(text.utf8)
    }

    private static let header = """
        # Numbering plans: facts from the metadata of libphonenumber (https://github.com/google/libphonenumber),
        # Copyright (C) The Libphonenumber Authors, licensed under the Apache License, Version 2.0
        # (http://www.apache.org/licenses/LICENSE-2.0). Generated: see "Generated files" in CONTRIBUTING.md.

        """

    /// The elements of the number types, in the order in which the types are tried, and their names in the data file.
    private static let types: [(element: String, name: String)] = [
        ("premiumRate", "premium"), ("tollFree", "free"), ("sharedCost", "shared"), ("voip", "voip"),
        ("personalNumber", "personal"), ("pager", "pager"), ("uan", "uan"), ("voicemail", "voicemail"),
        ("fixedLine", "fixed"), ("mobile", "mobile"),
    ]

    private static func regions(_ scanner: XMLScanner) throws(NumberingDataError) -> [RegionFacts] {
        var scanner = scanner
        var regions: [RegionFacts] = []
        var territory: Territory?
        while let token = try scanner.next() {
            switch token {
            case .start("territory", let attributes): territory = try Territory(attributes)
            case .start(let name, let attributes): try territory?.begin(name, attributes)
            case .text(let text): territory?.text += text
            case .end("territory"):
                if let facts = try territory?.facts(types) { regions.append(facts) }
                territory = nil
            case .end(let name): territory?.end(name)
            }
        }
        guard !regions.isEmpty else { throw .notNumberingData }
        return regions
    }
}

/// One region of the XML form.
private struct Territory {
    var text = ""
    private var region: RegionFacts
    /// The rule for the first group of formats that have none of their own.
    private let firstGroup: String
    private var descriptions: [String: RegionFacts.Description] = [:]
    private var description = RegionFacts.Description()
    private var format = RegionFacts.Format()

    init(_ attributes: [String: String]) throws(NumberingDataError) {
        guard let code = attributes["countryCode"].flatMap({ Int($0) }), let id = attributes["id"], Region(id) != nil
        else { throw .malformed("territory \(attributes["id"] ?? "")") }
        let national = attributes["nationalPrefix"] ?? ""
        region = RegionFacts()
        region.callingCode = code
        region.region = id
        region.isMain = attributes["mainCountryForCode"] == "true"
        region.internationalPrefix = Self.compact(attributes["internationalPrefix"])
        region.nationalPrefix = national
        region.prefixPattern = attributes["nationalPrefixForParsing"].map(Self.compact) ?? national
        region.prefixReplacement = Self.compact(attributes["nationalPrefixTransformRule"])
        region.leadingDigits = Self.compact(attributes["leadingDigits"])
        firstGroup = Self.rule(attributes["nationalPrefixFormattingRule"], national)
    }

    mutating func begin(_ name: String, _ attributes: [String: String]) throws(NumberingDataError) {
        text = ""
        switch name {
        case "possibleLengths":
            guard let lengths = LengthSet(attributes["national"] ?? ""),
                let local = LengthSet(attributes["localOnly"] ?? "")
            else { throw .malformed("possibleLengths of \(region.region)") }
            (description.lengths, description.localLengths) = (lengths, local)
        case "numberFormat":
            format = RegionFacts.Format()
            format.pattern = Self.compact(attributes["pattern"])
            format.firstGroup =
                attributes["nationalPrefixFormattingRule"].map { Self.rule($0, region.nationalPrefix) } ?? firstGroup
        case "nationalNumberPattern", "exampleNumber", "leadingDigits", "format", "intlFormat": break
        default: description = RegionFacts.Description()
        }
    }

    mutating func end(_ name: String) {
        switch name {
        case "nationalNumberPattern": description.pattern = Self.compact(text)
        case "exampleNumber": description.example = Self.compact(text)
        // The last pattern is the most detailed one.
        case "leadingDigits": format.leadingDigits = Self.compact(text)
        case "format": format.format = String(text[...].trimmed)
        case "intlFormat":
            let international = String(text[...].trimmed)
            format.international = international == "NA" ? "-" : international == format.format ? "" : international
        case "numberFormat": region.formats.append(format)
        case "possibleLengths", "availableFormats", "references", "sourceUrl": break
        default: descriptions[name] = description
        }
    }

    func facts(_ types: [(element: String, name: String)]) throws(NumberingDataError) -> RegionFacts {
        guard var general = descriptions["generalDesc"] else { throw .malformed("generalDesc of \(region.region)") }
        general.type = RegionFacts.general
        var facts = region
        var ofTypes: [RegionFacts.Description] = []
        for (element, name) in types {
            guard var description = descriptions[element], !description.pattern.isEmpty else { continue }
            description.type = name
            ofTypes.append(description)
            general.lengths.formUnion(description.lengths)
            general.localLengths.formUnion(description.localLengths)
        }
        general.localLengths.subtract(general.lengths)
        facts.descriptions = [general] + ofTypes
        return facts
    }

    private static func rule(_ text: String?, _ nationalPrefix: String) -> String {
        (text ?? "").replacing("$NP", by: nationalPrefix).replacing("$FG", by: "$1")
    }

    /// Returns a text without its white space. Patterns are written on several lines.
    private static func compact(_ text: String?) -> String {
        (text ?? "").filter { !$0.isWhitespace }
    }
}

/// A version of numbering data, such as `9.0.43`.
public struct NumberingVersion: Comparable, Sendable {
    private let parts: [Int]

    /// Parses numbers separated by dots.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard !parts.isEmpty, parts.allSatisfy({ $0 >= 0 }) else { return nil }
        self.parts = parts
    }

    /// Compares the numbers, the first first.
    public static func < (one: Self, other: Self) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}
