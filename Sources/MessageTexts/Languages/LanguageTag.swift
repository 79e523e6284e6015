/// The parts of a BCP 47 language tag that determine the wording: language, script and region in canonical form.
///
/// Chinese always has a script, because its two scripts need two texts. Serbian has a script only if it is not the
/// usual one: Latin, or Cyrillic in a region that writes Latin.
public struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// Two or three letters in lower case.
    public let language: String
    /// Four letters, the first in upper case.
    public let script: String?
    /// Two letters in upper case or three digits.
    public let region: String?

    init(language: String, script: String? = nil, region: String? = nil) {
        self.language = language
        self.script = script
        self.region = region
    }

    static let english = LanguageTag(language: "en")

    /// The canonical tag, such as `pt-BR` or `zh-Hant-TW`.
    public var description: String {
        [language, script, region].compactMap(\.self).joined(separator: "-")
    }
}
