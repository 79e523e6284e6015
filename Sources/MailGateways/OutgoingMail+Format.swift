internal import Encodings
internal import SMSGateways

extension OutgoingMail {
    /// The mail in the Internet Message Format (RFC 5322) with CRLF line breaks: plain text and HTML as alternatives
    /// (RFC 2046 § 5.1.4), in 7 bits except for a non-ASCII address.
    var bytes: [UInt8] {
        // An encoded part has no "=_" (RFC 2045 § 6.7), so no part contains the boundary.
        let boundary = "=_dialtone"
        let name = senderName.map { "\(Self.words($0, isPhrase: true))\r\n " } ?? ""
        let lines = [
            "Date: \(date.rfc5322)", "From: \(name)<\(sender.specification)>", "To: <\(recipient.specification)>",
            "Subject: \(Self.words(subject))", "Message-ID: <\(id.text)@\(sender.domain)>", "MIME-Version: 1.0",
            // RFC 3834 § 5: no vacation notice answers.
            "Auto-Submitted: auto-generated", "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "",
            "--\(boundary)", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
            "",
            Self.quotedPrintable(text), "--\(boundary)", "Content-Type: text/html; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable", "", Self.quotedPrintable(html), "--\(boundary)--", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Returns a header field's text: unchanged if it is short and plain, else as encoded words (RFC 2047), which hold
    /// at most 75 characters and whole characters.
    private static func words(_ text: String, isPhrase: Bool = false) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || byte == 0x20 || !isPhrase && (0x21...0x7E).contains(byte)
        }
        if isPlain, !text.contains("=?"), text.utf8.count <= 60 { return text }
        var words: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            if words[words.count - 1].count + UTF8.width(character) > 39 { words.append([]) }
            words[words.count - 1] += Array(String(character).utf8)
        }
        return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }

    /// Encodes a text as quoted-printable (RFC 2045 § 6.7).
    private static func quotedPrintable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var encoded = ""
            var column = 0
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                // Not a space or dot that a server may remove.
                let isSpace = byte == 0x20 && index < bytes.count - 1
                let piece =
                    isPlain || isSpace
                    ? String(Unicode.Scalar(byte)) : "=\(Hexadecimal.encode([byte]).uppercased())"
                if column + piece.utf8.count > 75 {
                    encoded += "=\r\n"
                    column = 0
                }
                encoded += piece
                column += piece.utf8.count
            }
            return encoded
        }.joined(separator: "\r\n")
    }
}

extension Instant {
    /// The date and time of RFC 5322 § 3.3, in UTC: `Sun, 29 Nov 2026 00:05:00 +0000`.
    fileprivate var rfc5322: String {
        let parts = utc.split { "-T:Z".contains($0) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 1 January 1970 was a Thursday.
        let day = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(seconds / 86_400 % 7)]
        guard parts.count >= 6, let month = Int(parts[1]) else { return utc }
        return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
    }
}
