internal import Encodings

/// The texts of a component: those that it shares with the challenge page, and one embedded file per language, which is
/// JSON because it is sent unchanged. The account component also has the texts of the sign-in component. A test
/// compares the names and placeholders of all files.
extension WebComponent {
    /// Returns the texts of a language by name.
    func texts(in language: Language) -> JSONObject {
        let signIn = Self.signInTexts[language] ?? JSONObject()
        guard case .account = self, let account = Self.accountTexts[language] else { return signIn }
        return JSONObject(members: signIn.members + account.members)
    }

    /// Returns the component's title in steps that ask for nothing.
    func title(in language: Language) -> String {
        let name =
            switch self {
            case .signIn: "title"
            case .account: "accountTitle"
            }
        guard case .string(let title)? = texts(in: language)[name] else { return "" }
        return title
    }

    private static let signInTexts = byLanguage { language in
        let texts = language.texts
        let shared = [
            ("confirm", texts.confirmDetail), ("networkFailed", texts.networkFailed),
            ("serverFailed", texts.serverFailed), ("checkFailed", texts.checkFailed),
            ("tooManyRequests", texts.tooManyRequests), ("tryAgain", texts.tryAgain),
        ]
        return members(of: signInFile(language)) + shared.map { (name: $0, value: .string($1)) }
    }

    private static let accountTexts = byLanguage { language in
        members(of: accountFile(language)) + [(name: "cancel", value: .string(language.texts.cancel))]
    }

    private static func byLanguage(
        _ texts: (Language) -> [(name: String, value: JSONValue)]
    ) -> [Language: JSONObject] {
        Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, JSONObject(members: texts($0))) })
    }

    private static func members(of file: [UInt8]) -> [(name: String, value: JSONValue)] {
        guard case .object(let texts) = try? JSONValue.parse(file) else { return [] }
        return texts.members
    }

    private static func signInFile(_ language: Language) -> [UInt8] {
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

    private static func accountFile(_ language: Language) -> [UInt8] {
        switch language {
        case .english: PackageResources.account_en_json
        case .portuguese: PackageResources.account_pt_json
        case .hebrew: PackageResources.account_he_json
        case .traditionalChinese: PackageResources.account_zh_Hant_json
        case .simplifiedChinese: PackageResources.account_zh_Hans_json
        case .spanish: PackageResources.account_es_json
        case .italian: PackageResources.account_it_json
        case .french: PackageResources.account_fr_json
        case .german: PackageResources.account_de_json
        case .arabic: PackageResources.account_ar_json
        case .hindi: PackageResources.account_hi_json
        case .japanese: PackageResources.account_ja_json
        case .korean: PackageResources.account_ko_json
        case .russian: PackageResources.account_ru_json
        case .turkish: PackageResources.account_tr_json
        case .indonesian: PackageResources.account_id_json
        }
    }
}
