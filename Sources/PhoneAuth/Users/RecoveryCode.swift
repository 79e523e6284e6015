internal import Encodings

/// A single-use replacement for a lost second factor: ten characters, 50 random bits, that people can copy from paper.
///
/// Redis stores only its keyed hash, so a leaked dump does not allow an offline guessing attack.
struct RecoveryCode: Sendable, Confidential {
    /// The number of codes that a user gets at a time.
    static let count = 10
    private static let length = 10

    private let characters: [UInt8]

    static func make(_ environment: Environment) -> RecoveryCode {
        // One byte gives one of 32 characters. 256 is a multiple of 32, so there is no modulo bias.
        RecoveryCode(characters: environment.randomBytes(length).map { CrockfordBase32.digit($0) })
    }

    /// Reads what a user typed (``CrockfordBase32``); nil for any other form, such as the codes of messages and
    /// authenticator apps.
    init?(_ text: String) {
        guard let code = text.readAsCode(), let values = CrockfordBase32.values(of: code, count: Self.length)
        else { return nil }
        self.init(characters: values.map { CrockfordBase32.digit($0) })
    }

    private init(characters: [UInt8]) {
        self.characters = characters
    }

    /// The code as shown: two groups of five characters.
    var text: String {
        String(decoding: characters.prefix(5) + [UInt8(ascii: "-")] + characters.suffix(5), as: UTF8.self)
    }

    /// Returns the hash under which Redis stores a new code.
    func hash(for account: AccountIdentity, _ keys: ServerKeys) -> String { hash(for: account, keys.indexKey) }

    /// Returns the hashes of a code under every index key of the key file. A code that is stored only as a hash cannot
    /// be rehashed under another key.
    func hashes(for account: AccountIdentity, _ keys: ServerKeys) -> [String] {
        keys.indexKeys.map { hash(for: account, $0) }
    }

    private func hash(for account: AccountIdentity, _ key: IndexKey) -> String {
        key.text(key.hash("recovery-code", .text(account.project), .text(account.uid), .bytes(characters)))
    }
}
