/// A language of the page, by its BCP 47 tag.
public enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case portuguese = "pt"
    case hebrew = "he"
    case traditionalChinese = "zh-Hant"
    case simplifiedChinese = "zh-Hans"
    case spanish = "es"
    case italian = "it"
    case french = "fr"
    case german = "de"
    case arabic = "ar"
    case hindi = "hi"
    case japanese = "ja"
    case korean = "ko"
    case russian = "ru"
    case turkish = "tr"
    case indonesian = "id"

    /// The BCP 47 tag, for `lang` and `Content-Language`.
    public var tag: String { rawValue }

    /// The direction of its script, for `dir`.
    public var direction: String {
        switch self {
        case .hebrew, .arabic: "rtl"
        default: "ltr"
        }
    }

    var texts: PageTexts {
        switch self {
        case .english: .english
        case .portuguese: .portuguese
        case .hebrew: .hebrew
        case .traditionalChinese: .traditionalChinese
        case .simplifiedChinese: .simplifiedChinese
        case .spanish: .spanish
        case .italian: .italian
        case .french: .french
        case .german: .german
        case .arabic: .arabic
        case .hindi: .hindi
        case .japanese: .japanese
        case .korean: .korean
        case .russian: .russian
        case .turkish: .turkish
        case .indonesian: .indonesian
        }
    }
}
