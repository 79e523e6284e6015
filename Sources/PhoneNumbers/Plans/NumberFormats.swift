/// The formats of a region's numbers. The first that applies to a number is used.
struct NumberFormats: Sendable {
    private struct Format {
        let groups: [Group]
        let leadingDigits: DigitPattern?
        let template: String
        let firstGroup: String
        /// Empty if the template is used; nil if the format is only national.
        let international: String?
    }

    /// The number of digits that a group may have.
    private struct Group {
        let least: Int
        let most: Int
    }

    enum Style {
        case national
        /// National, but without the national prefix.
        case withoutPrefix
        case international
    }

    private let formats: [Format]

    init(_ facts: [RegionFacts.Format]) throws(NumberingDataError) {
        var formats: [Format] = []
        for format in facts {
            formats.append(
                Format(
                    groups: try Self.groups(format.pattern),
                    leadingDigits: format.leadingDigits.isEmpty ? nil : try DigitPattern(format.leadingDigits),
                    template: format.format,
                    firstGroup: format.firstGroup,
                    international: format.international == "-" ? nil : format.international
                )
            )
        }
        self.formats = formats
    }

    /// Parses groups of digits, such as `(\d)(\d{2,3})(\d{4})`.
    private static func groups(_ pattern: String) throws(NumberingDataError) -> [Group] {
        var groups: [Group] = []
        for part in pattern.split(separator: ")") {
            guard part.hasPrefix("(\\d") else { throw .pattern(pattern) }
            let times = part.dropFirst(3)
            if times.isEmpty {
                groups.append(Group(least: 1, most: 1))
                continue
            }
            let ends = times.dropFirst().dropLast().split(separator: ",").compactMap { Int($0) }
            guard times.first == "{", times.last == "}", let least = ends.first, let most = ends.last,
                0 < least, least <= most, most < 32
            else { throw .pattern(pattern) }
            groups.append(Group(least: least, most: most))
        }
        return groups
    }

    /// Returns a complete number with separators; without them, if no format applies.
    func format(_ digits: [UInt8], _ style: Style) -> String {
        for format in formats where style != .international || format.international != nil {
            guard let parts = Self.divide(digits, format.groups, isComplete: true),
                format.leadingDigits?.matches(digits, .beginning) ?? true
            else { continue }
            return Self.fill(Self.template(of: format, style), parts)
        }
        return Self.text(of: digits)
    }

    /// Returns the first digits of a number with the separators that a complete number would have.
    func formatUnfinished(_ digits: [UInt8], _ style: Style) -> String {
        let complete = format(digits, style)
        guard complete == Self.text(of: digits) else { return complete }
        for format in formats where style != .international || format.international != nil {
            guard let parts = Self.divide(digits, format.groups, isComplete: false),
                format.leadingDigits?.matches(digits, .unfinished) ?? true
            else { continue }
            return Self.fill(Self.template(of: format, style), parts)
        }
        return complete
    }

    /// Returns digits as text.
    static func text(of digits: some Sequence<UInt8>) -> String {
        String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self)
    }

    /// Divides digits into groups, each as long as the later groups allow; nil if they do not fit.
    private static func divide(_ digits: [UInt8], _ groups: [Group], isComplete: Bool) -> [ArraySlice<UInt8>]? {
        guard digits.count <= groups.reduce(0, { $0 + $1.most }) else { return nil }
        var spare = digits.count - groups.reduce(0) { $0 + $1.least }
        guard !isComplete || spare >= 0 else { return nil }
        var rest = digits[...]
        return groups.map { group in
            let more = min(max(0, spare), group.most - group.least)
            spare -= more
            let part = rest.prefix(group.least + more)
            rest = rest.dropFirst(part.count)
            return part
        }
    }

    private static func template(of format: Format, _ style: Style) -> String {
        switch style {
        case .withoutPrefix: return format.template
        case .international:
            return format.international.flatMap { $0.isEmpty ? nil : $0 } ?? format.template
        case .national:
            // The first group that the format has need not be $1.
            guard !format.firstGroup.isEmpty, let dollar = format.template.firstIndex(of: "$") else {
                return format.template
            }
            let rest = format.template[dollar...]
            return format.template[..<dollar] + format.firstGroup.replacing("$1", by: String(rest.prefix(2)))
                + String(rest.dropFirst(2))
        }
    }

    /// Replaces `$1` in a template by the first part, and so on. Ends after the last digit, without a bracket that is
    /// not closed.
    private static func fill(_ template: String, _ parts: [ArraySlice<UInt8>]) -> String {
        let count = parts.reduce(0) { $0 + $1.count }
        var filled = 0
        var result = ""
        var place = template.startIndex
        while place < template.endIndex, filled < count || !template[place...].contains("$") {
            let character = template[place]
            place = template.index(after: place)
            guard character == "$", place < template.endIndex, let part = template[place].wholeNumberValue else {
                result.append(character)
                continue
            }
            place = template.index(after: place)
            guard parts.indices.contains(part - 1) else { continue }
            result += text(of: parts[part - 1])
            filled += parts[part - 1].count
        }
        if let bracket = result.firstIndex(of: "("), !result.contains(")") { result.remove(at: bracket) }
        return result
    }
}

extension String {
    /// Returns the text with a placeholder replaced wherever it occurs.
    func replacing(_ placeholder: StaticString, by replacement: String) -> String {
        let placeholder = placeholder.description
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(placeholder) {
                result += replacement
                rest = rest.dropFirst(placeholder.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
