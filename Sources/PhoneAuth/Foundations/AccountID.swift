/// Generates uids: 28 letters and digits, like Firebase's, with 166 random bits.
public enum AccountID {
    /// The longest uid, in characters.
    static let maximumCharacters = 128

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let length = 28

    /// The rule for ids that are created elsewhere, as a text.
    public static let rule = "1 to \(maximumCharacters) characters without control characters"

    /// Returns whether a uid, or a second factor's id, that was created elsewhere is valid.
    static func isLegal(_ id: String) -> Bool {
        (1...maximumCharacters).contains(id.unicodeScalars.count)
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    static func make(_ environment: Environment) -> String {
        var name: [UInt8] = []
        name.reserveCapacity(length)
        // Bytes from 248 on are skipped: rejection sampling avoids modulo bias.
        let fairBytes = UInt8(256 / alphabet.count * alphabet.count)
        while name.count < length {
            for byte in environment.randomBytes(32) where byte < fairBytes && name.count < length {
                name.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}
