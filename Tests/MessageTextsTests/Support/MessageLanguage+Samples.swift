import DialtoneTexts

@testable import MessageTexts

extension MessageLanguage {
    /// A name of 20 characters in this language's script. With right-to-left names and texts, this is the worst case.
    var sampleName: String {
        switch self {
        case .arabic, .persian, .urdu: "متجر-7 الأخبار كل يو"
        case .hebrew: "חנות-7 החדשות של היו"
        case .bulgarian, .russian, .serbian, .ukrainian: "Новости каждого дня7"
        case .greek: "Τα νέα κάθε ημέρας 7"
        case .bengali: "প্রতিদিনের সব খবর ৭!"
        case .hindi: "हर दिन की ताज़ा खबर ७"
        case .tamil: "ஒவ்வொரு நாளும் செய்த"
        case .thai: "ข่าวสารใหม่ทุกวันที่"
        case .japanese: "毎日のニュースをお届けするアプリ日本版７"
        case .korean: "매일매일 새로운 소식을 전하는 앱 일"
        case .simplifiedChinese: "每天为您带来最新消息的应用程序第七版本北京"
        case .traditionalChinese: "每天為您帶來最新消息的應用程式第七版本臺北"
        default: "The Daily News App 24"
        }
    }

    var preference: LanguagePreferences { LanguagePreferences([rawValue]) }
}
