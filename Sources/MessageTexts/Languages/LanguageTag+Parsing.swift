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
        let lowered = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
        self.text = String(decoding: lowered, as: UTF8.self)
        self.isLetters = lowered.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        self.isDigits = lowered.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    var isScript: Bool { isLetters && text.count == 4 }
    var isRegion: Bool { isLetters && text.count == 2 || isDigits && text.count == 3 }
    var capitalized: String { text.prefix(1).uppercased() + text.dropFirst() }
}
