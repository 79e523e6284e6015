/// The languages in which voice gateways speak.
///
/// Twilio: "Text-to-Speech", section "Available voices and languages". Vonage: "Text to Speech", section "Supported
/// languages".
enum SpeechVoices {
    /// The locale of the voice for texts in a language; nil if the gateways have none in common.
    static func locale(of language: LanguageTag) -> String? {
        locales[language.description] ?? locales[language.language]
    }

    private static let locales = [
        "ar": "ar-AE", "bg": "bg-BG", "bn": "bn-IN", "ca": "ca-ES", "cs": "cs-CZ", "da": "da-DK", "de": "de-DE",
        "el": "el-GR", "en": "en-US", "es": "es-ES", "fi": "fi-FI", "fil": "fil-PH", "fr": "fr-FR", "he": "he-IL",
        "hi": "hi-IN", "hu": "hu-HU", "id": "id-ID", "it": "it-IT", "ja": "ja-JP", "ko": "ko-KR", "lt": "lt-LT",
        "lv": "lv-LV", "ms": "ms-MY", "nb": "nb-NO", "nl": "nl-NL", "pl": "pl-PL", "pt": "pt-BR", "pt-PT": "pt-PT",
        "ro": "ro-RO", "ru": "ru-RU", "sk": "sk-SK", "sr": "sr-RS", "sv": "sv-SE", "ta": "ta-IN", "th": "th-TH",
        "tr": "tr-TR", "uk": "uk-UA", "vi": "vi-VN", "zh-Hans": "cmn-CN", "zh-Hant": "cmn-TW",
    ]
}
