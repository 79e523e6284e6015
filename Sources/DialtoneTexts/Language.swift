/// A language of the pages and of the client, by its BCP 47 tag.
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
}
