internal import Encodings

/// The parts of a BCP 47 language tag that determine the wording: language, script and region in canonical form.
///
/// Chinese always has a script, because its two scripts need two texts. Serbian has a script only if it is not the
/// usual one: Latin, or Cyrillic in a region that writes Latin.
public struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// Two or three letters in lower case.
    public let language: String
    /// Four letters, the first in upper case.
    public let script: String?
    /// Two letters in upper case or three digits.
    public let region: String?

    init(language: String, script: String? = nil, region: String? = nil) {
        self.language = language
        self.script = script
        self.region = region
    }

    static let english = LanguageTag(language: "en")

    /// The canonical tag, such as `pt-BR` or `zh-Hant-TW`.
    public var description: String {
        [language, script, region].compactMap(\.self).joined(separator: "-")
    }
}

extension LanguageTag {
    /// Parses a tag as clients write it: `pt-BR`, `zh_TW`, `iw`, and the forms of Java (`zh_TW_#Hant`) and POSIX
    /// (`de_DE.UTF-8`).
    ///
    /// Variants, extensions and private subtags are ignored. Codes that ISO 639 has withdrawn are replaced by current
    /// ones. Returns nil unless the text begins with a language code of two or three letters.
    ///
    /// - Parameter text: untrusted; only the first 64 bytes count.
    public init?(_ text: String) {
        self.init(bytes: Array(text.utf8.prefix(Self.maximumBytes))[...])
    }

    private static let maximumBytes = 64

    init?(bytes: ArraySlice<UInt8>) {
        let tag = bytes.prefix(Self.maximumBytes).prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
        let subtags = tag.split { "-_#".utf8.contains($0) }.map(Subtag.init)
        guard let first = subtags.first, first.isLetters, (2...3).contains(first.text.count) else { return nil }

        var script: String?
        var region: String?
        // A subtag of one character begins an extension, whose subtags mean something else (RFC 5646 § 2.2.6).
        for subtag in subtags.dropFirst().prefix(while: { $0.text.count > 1 }) {
            if subtag.isScript { script = script ?? subtag.capitalized }
            if subtag.isRegion { region = region ?? subtag.text.uppercased() }
        }
        self.init(canonicalizing: first.text, script: script, region: region)
    }

    private init(canonicalizing language: String, script: String?, region: String?) {
        switch Self.withdrawn[language] ?? language {
        case "sh":
            self.init(language: "sr", script: "Latn", region: region)
        case "sr":
            let usual = Self.latinSerbianRegions.contains(region ?? "") ? "Latn" : "Cyrl"
            let script = script == "Latn" ? "Latn" : script == nil ? usual : "Cyrl"
            self.init(language: "sr", script: script == "Cyrl" && usual == "Cyrl" ? nil : script, region: region)
        case "zh":
            let traditional = script.map { $0 == "Hant" } ?? Self.traditionalChineseRegions.contains(region ?? "")
            self.init(language: "zh", script: traditional ? "Hant" : "Hans", region: region)
        case let language:
            self.init(language: language, script: script, region: region)
        }
    }

    /// Withdrawn codes that Java, Android and old systems still send, with their replacements (IANA language subtag
    /// registry), and members of macrolanguages, with the macrolanguage's code.
    private static let withdrawn = [
        "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "no": "nb", "tl": "fil", "cmn": "zh", "zsm": "ms",
    ]
    /// The default scripts by region: the likely subtags of Unicode CLDR.
    private static let latinSerbianRegions: Set = ["ME", "RO", "TR"]
    private static let traditionalChineseRegions: Set = ["TW", "HK", "MO"]
}

/// A part of a tag between two hyphens, in lower case.
private struct Subtag {
    let text: String
    let isLetters: Bool
    let isDigits: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        let lowered = bytes.map(\.asciiLowercased)
        self.text = String(decoding: lowered, as: UTF8.self)
        self.isLetters = lowered.allSatisfy(\.isASCIILowercaseLetter)
        self.isDigits = lowered.allSatisfy(\.isASCIIDigit)
    }

    var isScript: Bool { isLetters && text.count == 4 }
    var isRegion: Bool { isLetters && text.count == 2 || isDigits && text.count == 3 }
    var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension LanguageTag {
    /// The tag itself, and tags of other texts that its readers also accept, best first: `pt-BR`, `pt`.
    ///
    /// Lookup follows RFC 4647 § 3.4, with two exceptions: a script that is not the language's usual one is kept, and
    /// Portuguese outside of Brazil prefers European Portuguese (the parent locales of Unicode CLDR).
    var fallbacks: [LanguageTag] {
        var tags = [self]
        if script != nil, region != nil { tags.append(LanguageTag(language: language, script: script)) }
        switch language {
        case "zh": break
        case "sr": tags.append(LanguageTag(language: "sr", script: script == "Latn" ? "Latn" : nil))
        default:
            if let region { tags.append(LanguageTag(language: language, region: region)) }
            if isEuropeanPortuguese { tags.append(LanguageTag(language: "pt", region: "PT")) }
            tags.append(LanguageTag(language: language))
        }
        switch language {
        // Readers of Nynorsk read Bokmål; readers of written Cantonese read traditional Chinese.
        case "nn": tags.append(LanguageTag(language: "nb"))
        case "yue": tags.append(LanguageTag(language: "zh", script: script == "Hans" ? "Hans" : "Hant"))
        default: break
        }
        return tags
    }

    private var isEuropeanPortuguese: Bool {
        let regions = ["AO", "CH", "CV", "FR", "GQ", "GW", "LU", "MO", "MZ", "PT", "ST", "TL"]
        return language == "pt" && regions.contains(region ?? "")
    }
}
