/// The salt of a challenge: `<24 hexadecimal digits>?expires=<seconds>&difficulty=<0…3>&subject=<hash>&`, in this
/// spelling only.
struct Salt {
    static let nonceBytes = 12

    let nonce: String
    /// Seconds since the Unix epoch.
    let expires: Int64
    let difficulty: Difficulty
    let subject: String

    init(nonce: String, expires: Int64, difficulty: Difficulty, subject: String) {
        self.nonce = nonce
        self.expires = expires
        self.difficulty = difficulty
        self.subject = subject
    }

    /// Parses a salt; nil if `text` is not exactly as ``text`` writes it.
    init?(_ text: String) {
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.nonceBytes * 2 else { return nil }
        let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        guard fields.count == 4, fields[0].hasPrefix("expires="), fields[1].hasPrefix("difficulty="),
            fields[2].hasPrefix("subject="), let expires = Int64(fields[0].dropFirst(8)),
            let difficulty = Int(fields[1].dropFirst(11)).flatMap(Difficulty.init)
        else { return nil }
        self.init(
            nonce: String(parts[0]),
            expires: expires,
            difficulty: difficulty,
            subject: String(fields[2].dropFirst(8))
        )
        guard self.text == text else { return nil }
    }

    var text: String { "\(nonce)?expires=\(expires)&difficulty=\(difficulty.rawValue)&subject=\(subject)&" }
}
