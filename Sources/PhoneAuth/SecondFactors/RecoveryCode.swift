internal import Encodings
internal import RedisStore

/// What stands in for a second factor that is lost, once: ten characters, 50 random bits, that people can copy from paper.
///
/// Redis has its keyed hash only, so that whoever reads a dump could not try them out.
struct RecoveryCode: Sendable, Confidential {
    /// How many a user gets at a time.
    static let count = 10
    /// Crockford's 32: no I, L, O, U, which are misread or make words.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let length = 10

    private let characters: [UInt8]

    static func make(_ environment: Environment) -> RecoveryCode {
        // Each character is one of 32, so that 5 bits of a byte are fair.
        RecoveryCode(characters: environment.randomBytes(length).map { alphabet[Int($0 & 0x1F)] })
    }

    /// Reads what a user typed: in letters of either case, with or without the dash, with what is misread put right. nil where it
    /// has another form, as the codes of messages and of apps have.
    init?(_ text: String) {
        var characters: [UInt8] = []
        for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
            var byte = byte
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { byte -= 0x20 }
            switch byte {
            case UInt8(ascii: "O"): byte = UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): byte = UInt8(ascii: "1")
            default: break
            }
            guard Self.alphabet.contains(byte), characters.count < Self.length else { return nil }
            characters.append(byte)
        }
        guard characters.count == Self.length else { return nil }
        self.init(characters: characters)
    }

    private init(characters: [UInt8]) {
        self.characters = characters
    }

    /// As it is shown: two groups of five.
    var text: String {
        String(decoding: characters.prefix(5) + [UInt8(ascii: "-")] + characters.suffix(5), as: UTF8.self)
    }

    func hash(for account: AccountIdentity, _ keys: ServerKeys) -> String {
        let hash = keys.indexes(
            "recovery-code",
            .text(account.project),
            .text(account.uid),
            .bytes(characters)
        )
        return Base64URL.string(hash.prefix(16))
    }
}
