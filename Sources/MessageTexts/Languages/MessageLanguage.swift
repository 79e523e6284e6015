/// A language with built-in message texts, by its BCP 47 tag.
public enum MessageLanguage: String, Sendable, Hashable, CaseIterable {
    case arabic = "ar"
    case bulgarian = "bg"
    case bengali = "bn"
    case catalan = "ca"
    case czech = "cs"
    case danish = "da"
    case german = "de"
    case greek = "el"
    case english = "en"
    case spanish = "es"
    case estonian = "et"
    case persian = "fa"
    case finnish = "fi"
    case filipino = "fil"
    case french = "fr"
    case hebrew = "he"
    case hindi = "hi"
    case croatian = "hr"
    case hungarian = "hu"
    case indonesian = "id"
    case italian = "it"
    case japanese = "ja"
    case korean = "ko"
    case lithuanian = "lt"
    case latvian = "lv"
    case malay = "ms"
    /// Bokmål.
    case norwegianBokmal = "nb"
    case dutch = "nl"
    case polish = "pl"
    /// Brazilian Portuguese, which also serves plain `pt`.
    case portuguese = "pt"
    case europeanPortuguese = "pt-PT"
    case romanian = "ro"
    case russian = "ru"
    case slovak = "sk"
    case slovenian = "sl"
    /// In Cyrillic script.
    case serbian = "sr"
    case latinSerbian = "sr-Latn"
    case swedish = "sv"
    case swahili = "sw"
    case tamil = "ta"
    case thai = "th"
    case turkish = "tr"
    case ukrainian = "uk"
    case urdu = "ur"
    case vietnamese = "vi"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// Returns the language of exactly this tag; nil if there is no text for it.
    init?(_ tag: LanguageTag) {
        self.init(rawValue: tag.description)
    }
}
