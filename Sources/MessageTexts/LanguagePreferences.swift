internal import Encodings

/// A user's languages, best first, from `X-Firebase-Locale`, `languageCode` or `Accept-Language`.
///
/// The list is short, whatever the input. It may be stored and sent as ``text``, which parses to the same list.
public struct LanguagePreferences: Sendable, Hashable {
    /// At most ``maximumTags``, without duplicates.
    public let tags: [LanguageTag]

    /// The maximum number of languages, over all values.
    public static let maximumTags = 16
    /// The maximum number of bytes read of each value. An entry that exceeds it is dropped.
    public static let maximumBytes = 512
    /// The maximum number of values read.
    public static let maximumValues = 8

    /// Parses values, in the order of their priority.
    ///
    /// Each value is one tag, or a list of tags with or without weights (RFC 9110 § 12.5.4). Weights order the list
    /// within its value. Languages of weight 0 are left out; an invalid weight counts as 1. Entries that are not
    /// language tags are ignored.
    ///
    /// - Parameter values: untrusted.
    public init(_ values: [String]) {
        var tags: [LanguageTag] = []
        for tag in values.prefix(Self.maximumValues).flatMap(Self.parse)
        where !tags.contains(tag) && tags.count < Self.maximumTags {
            tags.append(tag)
        }
        self.tags = tags
    }

    /// The list in canonical form, such as `pt-BR,en`; empty for an empty list, and at most 191 bytes.
    public var text: String { tags.map(\.description).joined(separator: ",") }

    private static func parse(_ value: String) -> [LanguageTag] {
        let bytes = Array(value.utf8.prefix(maximumBytes + 1))
        var entries = bytes.split(separator: UInt8(ascii: ","))
        if bytes.count > maximumBytes { entries = entries.dropLast() }
        let weighted = entries.compactMap(WeightedTag.init).filter { $0.weight > 0 }
        // `sort` does not guarantee a stable order.
        return weighted.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(
            \.element.tag
        )
    }
}

/// One entry of a list: a tag and its weight.
private struct WeightedTag {
    let tag: LanguageTag
    /// The weight in thousandths.
    let weight: Int

    init?(_ entry: ArraySlice<UInt8>) {
        let fields = entry.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.split(
            separator: UInt8(ascii: ";")
        )
        guard let first = fields.first, let tag = LanguageTag(bytes: first) else { return nil }
        self.tag = tag
        self.weight = fields.dropFirst().lazy.compactMap(Self.weight).first ?? 1000
    }

    /// Parses `q=0.8`: 0 to 1 with at most three decimals (RFC 9110 § 12.4.2).
    private static func weight(_ field: ArraySlice<UInt8>) -> Int? {
        let field = String(decoding: field, as: UTF8.self).lowercased()
        guard field.hasPrefix("q=") else { return nil }
        let parts = field.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : ""
        guard (1...2).contains(parts.count), ["0", "1"].contains(parts[0]), decimals.count <= 3 else { return nil }
        guard decimals.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        let padded = decimals + String(repeating: "0", count: 3 - decimals.count)
        return Int(parts[0] + padded).map { min($0, 1000) }
    }
}
