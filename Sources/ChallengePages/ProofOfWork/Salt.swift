/// The salt of a challenge of ours: `<24 hexadecimal digits>?expires=<seconds>&subject=<hash>&`, and no other spelling.
struct Salt {
    static let nonceBytes = 12

    let nonce: String
    /// Seconds since the Unix epoch.
    let expires: Int64
    let subject: String

    init(nonce: String, expires: Int64, subject: String) {
        self.nonce = nonce
        self.expires = expires
        self.subject = subject
    }

    /// Returns nil where `text` is not exactly as ``text`` writes it.
    init?(_ text: String) {
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.nonceBytes * 2 else { return nil }
        let fields = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].hasPrefix("expires="), fields[1].hasPrefix("subject="),
            let expires = Int64(fields[0].dropFirst(8))
        else { return nil }
        self.init(nonce: String(parts[0]), expires: expires, subject: String(fields[1].dropFirst(8)))
        guard self.text == text else { return nil }
    }

    var text: String { "\(nonce)?expires=\(expires)&subject=\(subject)&" }
}
