internal import Encodings
internal import RedisStore

/// What stands in for a second factor that is lost, once: ten characters, 50 random bits, that people can copy from paper.
///
/// Redis has its keyed hash only, so that whoever reads a dump could not try them out.
struct RecoveryCode: Sendable, Confidential {
    /// How many a user gets at a time.
    static let count = 10
    private static let length = 10

    private let characters: [UInt8]

    static func make(_ environment: Environment) -> RecoveryCode {
        // Each character is one of 32, so that 5 bits of a byte are fair.
        RecoveryCode(characters: environment.randomBytes(length).map { CrockfordBase32.digit($0) })
    }

    /// Reads what a user typed (``CrockfordBase32``); nil where it has another form, as the codes of messages and of apps have.
    init?(_ text: String) {
        guard let values = CrockfordBase32.values(of: text, count: Self.length) else { return nil }
        self.init(characters: values.map { CrockfordBase32.digit($0) })
    }

    private init(characters: [UInt8]) {
        self.characters = characters
    }

    /// As it is shown: two groups of five.
    var text: String {
        String(decoding: characters.prefix(5) + [UInt8(ascii: "-")] + characters.suffix(5), as: UTF8.self)
    }

    /// How Redis knows a new code.
    func hash(for account: AccountIdentity, _ keys: ServerKeys) -> String { hash(for: account, keys.indexKey) }

    /// How Redis knows a code that may have been made under any index key of the key file. A hash that is all that is
    /// left of a code cannot be moved to another key.
    func hashes(for account: AccountIdentity, _ keys: ServerKeys) -> [String] {
        keys.indexKeys.map { hash(for: account, $0) }
    }

    private func hash(for account: AccountIdentity, _ key: IndexKey) -> String {
        key.text(key.hash("recovery-code", .text(account.project), .text(account.uid), .bytes(characters)))
    }
}
