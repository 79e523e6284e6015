internal import Encodings

/// The texts of the sign-in component: those that it shares with the challenge page, and one embedded file a language,
/// JSON, because they are sent as they are. A test compares the names and placeholders of all files.
enum SignInTexts {
    /// Returns the texts of a language by name.
    static func texts(in language: Language) -> JSONObject {
        parsed[language] ?? JSONObject()
    }

    private static let parsed = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in (language, parse(language)) }
    )

    private static func parse(_ language: Language) -> JSONObject {
        guard case .object(let own) = try? JSONValue.parse(file(of: language)) else { return JSONObject() }
        let texts = language.texts
        let shared = [
            ("confirm", texts.confirmDetail), ("networkFailed", texts.networkFailed),
            ("serverFailed", texts.serverFailed), ("checkFailed", texts.checkFailed),
            ("tooManyRequests", texts.tooManyRequests), ("tryAgain", texts.tryAgain),
        ]
        return JSONObject(members: own.members + shared.map { (name: $0, value: .string($1)) })
    }

    static func file(of language: Language) -> [UInt8] {
        switch language {
        case .english: PackageResources.sign_in_en_json
        case .portuguese: PackageResources.sign_in_pt_json
        case .hebrew: PackageResources.sign_in_he_json
        case .traditionalChinese: PackageResources.sign_in_zh_Hant_json
        case .simplifiedChinese: PackageResources.sign_in_zh_Hans_json
        case .spanish: PackageResources.sign_in_es_json
        case .italian: PackageResources.sign_in_it_json
        case .french: PackageResources.sign_in_fr_json
        case .german: PackageResources.sign_in_de_json
        case .arabic: PackageResources.sign_in_ar_json
        case .hindi: PackageResources.sign_in_hi_json
        case .japanese: PackageResources.sign_in_ja_json
        case .korean: PackageResources.sign_in_ko_json
        case .russian: PackageResources.sign_in_ru_json
        case .turkish: PackageResources.sign_in_tr_json
        case .indonesian: PackageResources.sign_in_id_json
        }
    }
}
