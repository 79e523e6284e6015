internal import Foundation

/// A language of the sign-in view, by its BCP 47 tag. The languages are those of the server's pages.
enum SignInLanguage: String, Sendable, CaseIterable {
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

    /// The language in which the system shows the app: in any other language, the sign-in would not match the app's
    /// other views.
    static var ofApp: SignInLanguage { SignInLanguage(matching: Bundle.main.preferredLocalizations.first) }

    /// Selects the language for a language tag or a locale identifier; English if none matches.
    ///
    /// Lookup follows RFC 4647 § 3.4, as on the server: the primary language decides, and for Chinese also the script,
    /// or the region that implies a script.
    init(matching tag: String?) {
        let parts = (tag ?? "").lowercased().prefix(35).split { $0 == "-" || $0 == "_" }.map(String.init)
        switch parts.first {
        case "zh"?: self = Self.chinese(parts.dropFirst())
        // Withdrawn from ISO 639 in 1989, but still in use.
        case "iw"?: self = .hebrew
        case "in"?: self = .indonesian
        case let language: self = language.flatMap(SignInLanguage.init(rawValue:)) ?? .english
        }
    }

    private static func chinese(_ subtags: ArraySlice<String>) -> SignInLanguage {
        if subtags.contains("hant") { return .traditionalChinese }
        if subtags.contains("hans") { return .simplifiedChinese }
        return subtags.contains { ["tw", "hk", "mo"].contains($0) } ? .traditionalChinese : .simplifiedChinese
    }

    var words: SignInWords {
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

    /// Returns a duration in words, in seconds, minutes or hours, such as `2 minutes`. The server's sign-in component
    /// chooses the unit in the same way. On systems without a formatter for it, returns the duration as a clock shows
    /// it.
    func duration(_ seconds: Int) -> String {
        let size = seconds < 90 ? 1 : seconds < 5_400 ? 60 : 3_600
        let count = (seconds + size - 1) / size
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *) {
            let unit: Duration.UnitsFormatStyle.Unit = size == 1 ? .seconds : size == 60 ? .minutes : .hours
            let style = Duration.UnitsFormatStyle(allowedUnits: [unit], width: .wide)
            return Duration.seconds(count * size).formatted(style.locale(Locale(identifier: rawValue)))
        }
        return Self.clock(seconds)
    }

    /// Returns a duration in minutes and seconds, and in hours if it is that long: `1:05`, `2:00:00`.
    static func clock(_ seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, String(format: "%02d", seconds % 60))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(String(format: "%02d", minutes % 60)):\(rest)"
    }
}
