internal import Encodings
internal import PhoneNumbers
internal import RedisStore

/// What the numbers of a narrow range have in common: `+` and the first digits.
struct RangePrefix: Hashable {
    let text: String

    /// The million numbers that differ in the last six digits.
    static func series(of phone: E164) -> RangePrefix { RangePrefix(phone, without: 6, atLeast: 4) }

    /// The ten thousand numbers that differ in the last four digits.
    static func block(of phone: E164) -> RangePrefix { RangePrefix(phone, without: 4, atLeast: 5) }

    /// A prefix that an operator names: `+` and 4 to 11 digits; nil for anything else.
    init?(_ text: String) {
        let digits = text.dropFirst()
        guard text.hasPrefix("+"), (4...11).contains(digits.utf8.count), digits.isASCIIDigits else { return nil }
        self.text = text
    }

    /// Short numbers keep so many digits that a range stays within one country.
    private init(_ phone: E164, without count: Int, atLeast least: Int) {
        let all = phone.text.utf8
        text = String(decoding: all.prefix(max(1 + least, all.count - count)), as: UTF8.self)
    }

    /// How Redis knows it: the start of HMAC-SHA-256(index key, project ‖ prefix).
    func hash(in project: String, _ keys: ServerKeys) -> String { hash(in: project, under: keys.indexKey) }

    /// How Redis knows it under an index key.
    func hash(in project: String, under key: IndexKey) -> String {
        Base64URL.string(key.hash("number-range", .text(project), .text(text)).prefix(12))
    }

    /// Sealed, so that a report can name it.
    func sealed(in project: String, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> [UInt8]
    {
        try keys.data.seal(
            Array(text.utf8),
            context: Self.context(project),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
    }

    /// Opens what was sealed; nil where it is none of this deployment's.
    init?(sealed bytes: [UInt8], in project: String, _ keys: ServerKeys) {
        guard let text = keys.data.open(bytes, context: Self.context(project)) else { return nil }
        self.text = String(decoding: text, as: UTF8.self)
    }

    private static func context(_ project: String) -> [UInt8] { Array("number-range/\(project)".utf8) }
}

extension NumberRanges {
    /// The ranges of a number in the project with this id.
    init(of phone: E164, in project: String, _ keys: ServerKeys) {
        self.init(
            project: project,
            region: phone.region?.description ?? "",
            series: RangePrefix.series(of: phone).hash(in: project, keys),
            block: RangePrefix.block(of: phone).hash(in: project, keys)
        )
    }
}
