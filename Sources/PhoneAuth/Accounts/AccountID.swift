/// Generates uids: 28 letters and digits, like Firebase's, with 166 random bits.
public enum AccountID {
    /// The longest uid, in characters.
    public static let maximumCharacters = 128

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let length = 28

    /// Returns whether a uid that was created elsewhere is valid.
    static func isLegal(_ uid: String) -> Bool {
        (1...AccountID.maximumCharacters).contains(uid.unicodeScalars.count)
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
