internal import Encodings
internal import PhoneNumbers

/// The common prefix of the numbers in a narrow range: `+` and the first digits.
struct RangePrefix: Hashable {
    let text: String

    /// Returns the prefix of the million numbers that differ in the last six digits.
    static func series(of phone: E164) -> RangePrefix { RangePrefix(phone, without: 6, atLeast: 4) }

    /// Returns the prefix of the ten thousand numbers that differ in the last four digits.
    static func block(of phone: E164) -> RangePrefix { RangePrefix(phone, without: 4, atLeast: 5) }

    /// Parses a prefix from an operator: `+` and 4 to 11 digits; nil for anything else.
    init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("+"), (4...11).contains(digits.utf8.count), digits.isASCIIDigits else { return nil }
        self.text = text
    }

    /// Creates the prefix of a number. A short one keeps at least `least` digits, so that a range stays within one
    /// country.
    private init(_ phone: E164, without count: Int, atLeast least: Int) {
        let all = phone.text.utf8
        text = String(decoding: all.prefix(max(1 + least, all.count - count)), as: UTF8.self)
    }

    /// Returns the prefix's hash in Redis: the start of HMAC-SHA-256(index key, project ‖ prefix).
    func hash(in project: String, _ keys: ServerKeys) -> String { hash(in: project, under: keys.indexKey) }

    /// Returns the prefix's hash in Redis under an index key.
    func hash(in project: String, under key: IndexKey) -> String {
        Base64URL.string(key.hash("number-range", .text(project), .text(text)).prefix(12))
    }

    /// Seals (encrypts) the prefix, so that a report can show it.
    func sealed(in project: String, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> [UInt8]
    {
        try keys.data.seal(Array(text.utf8), context: Self.context(project), environment)
    }

    /// Opens a sealed prefix; nil if this deployment did not seal it.
    init?(sealed bytes: [UInt8], in project: String, _ keys: ServerKeys) {
        guard let text = keys.data.open(bytes, context: Self.context(project)) else { return nil }
        self.text = String(decoding: text, as: UTF8.self)
    }

    private static func context(_ project: String) -> SealingContext { SealingContext("number-range", of: project) }
}

extension NumberRanges {
    /// Creates the ranges of a number in the project with this id.
    init(of phone: E164, in project: String, _ keys: ServerKeys) {
        self.init(
            project: project,
            region: phone.effectiveRegion.description,
            isUnknown: !phone.isValid,
            series: RangePrefix.series(of: phone).hash(in: project, keys),
            block: RangePrefix.block(of: phone).hash(in: project, keys)
        )
    }
}
