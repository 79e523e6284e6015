internal import Foundation

/// A country or region to which the project sends messages.
public struct PhoneSignInRegion: Sendable, Hashable, Identifiable {
    /// The ISO 3166-1 alpha-2 code, such as `US`.
    public let code: String
    /// The country calling code, such as `1`.
    public let callingCode: Int
    /// The system's name of the region, in the language of the texts.
    public let name: String
    /// An example number, without the country code.
    public let example: String

    /// The code.
    public var id: String { code }

    /// The name and the calling code, whose digits are ASCII in all languages, and which reads from left to right.
    var label: String { "\(name) \(PhoneSignInTexts.leftToRight("+\(callingCode)"))" }
}

extension PhoneSignInRegion {
    /// More than exist.
    private static let mostRegions = 300
    /// The longest text that is searched for, in characters, because users may paste anything.
    private static let longestSearch = 100

    /// Returns the regions of a response with their names, sorted by name.
    static func named(_ entries: [SignInConfigResponse.Region], language: String) -> [PhoneSignInRegion] {
        let locale = Locale(identifier: language)
        var codes: Set<String> = []
        let regions = entries.prefix(mostRegions).filter { codes.insert($0.code).inserted }.map { entry in
            PhoneSignInRegion(
                code: entry.code,
                callingCode: entry.callingCode,
                name: locale.localizedString(forRegionCode: entry.code) ?? entry.code,
                example: entry.example
            )
        }
        return regions.sorted { left, right in
            let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
            switch left.name.compare(right.name, options: options, range: nil, locale: locale) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: return left.code < right.code
            }
        }
    }

    /// Returns the regions whose name, code or calling code contains a typed text. Regions that start with it come
    /// first.
    static func search(_ regions: [PhoneSignInRegion], for typed: String, language: String) -> [PhoneSignInRegion] {
        let locale = Locale(identifier: language)
        let text = PhoneSignIn.asciiDigits(String(typed.prefix(longestSearch)))
        let wanted = key(of: text.trimmingCharacters(in: .whitespacesAndNewlines), locale)
        guard !wanted.isEmpty else { return regions }
        let found = regions.compactMap { region -> (region: PhoneSignInRegion, isFirst: Bool)? in
            let words = key(of: "\(region.name) \(region.code) +\(region.callingCode)", locale)
            return words.contains(wanted) ? (region, words.hasPrefix(wanted)) : nil
        }
        return found.filter(\.isFirst).map(\.region) + found.filter { !$0.isFirst }.map(\.region)
    }

    /// Returns a text without case and accents, for comparison.
    private static func key(of text: String, _ locale: Locale) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: locale)
    }
}
