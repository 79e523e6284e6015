extension MessageLanguage {
    /// The wording of messages in this language.
    public var wording: MessageWording {
        switch self {
        case .arabic: .arabic
        case .bulgarian: .bulgarian
        case .bengali: .bengali
        case .catalan: .catalan
        case .czech: .czech
        case .danish: .danish
        case .german: .german
        case .greek: .greek
        case .english: .english
        case .spanish: .spanish
        case .estonian: .estonian
        case .persian: .persian
        case .finnish: .finnish
        case .filipino: .filipino
        case .french: .french
        case .hebrew: .hebrew
        case .hindi: .hindi
        case .croatian: .croatian
        case .hungarian: .hungarian
        case .indonesian: .indonesian
        case .italian: .italian
        case .japanese: .japanese
        case .korean: .korean
        case .lithuanian: .lithuanian
        case .latvian: .latvian
        case .malay: .malay
        case .norwegianBokmal: .norwegianBokmal
        case .dutch: .dutch
        case .polish: .polish
        case .portuguese: .portuguese
        case .europeanPortuguese: .europeanPortuguese
        case .romanian: .romanian
        case .russian: .russian
        case .slovak: .slovak
        case .slovenian: .slovenian
        case .serbian: .serbian
        case .latinSerbian: .latinSerbian
        case .swedish: .swedish
        case .swahili: .swahili
        case .tamil: .tamil
        case .thai: .thai
        case .turkish: .turkish
        case .ukrainian: .ukrainian
        case .urdu: .urdu
        case .vietnamese: .vietnamese
        case .simplifiedChinese: .simplifiedChinese
        case .traditionalChinese: .traditionalChinese
        }
    }
}
