public import Encodings
public import SMSGateways

/// A mail to send.
public struct OutgoingMail: GatewayMessage {
    /// Dialtone's id of the mail, the same for each attempt.
    public let id: MessageID
    let sender: MailAddress
    /// The app's name, as the name of the sender.
    let senderName: String?
    let recipient: MailAddress
    let subject: String
    let text: String
    let html: String
    let date: Instant
    private let validFor: Duration

    /// Creates a mail.
    ///
    /// - Parameters:
    ///   - id: Dialtone's id of the mail.
    ///   - sender: the address that the mail is from, and the name of its owner.
    ///   - recipient: the address that the mail is for.
    ///   - subject: the subject, on one line.
    ///   - text: the plain text.
    ///   - html: the same text as HTML.
    ///   - date: when the mail was requested.
    ///   - validFor: the remaining lifetime of the link in the mail.
    public init(
        id: MessageID,
        sender: (address: MailAddress, name: String?),
        recipient: MailAddress,
        subject: String,
        text: String,
        html: String,
        date: Instant,
        validFor: Duration
    ) {
        self.id = id
        self.sender = sender.address
        senderName = sender.name
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.html = html
        self.date = date
        self.validFor = validFor
    }

    /// Writes the addresses, the texts and the lifetime.
    public func write(to json: inout JSONWriter) {
        json.member("to", recipient.text)
        json.member("from", sender.text)
        json.member("subject", subject)
        json.member("text", text)
        json.member("html", html)
        json.member("validForSeconds", max(0, validFor.components.seconds))
    }
}

/// An address of a mailbox (RFC 5321 § 4.1.2), whose local part may have non-ASCII characters (RFC 6531).
public struct MailAddress: Hashable, Sendable, Confidential {
    let localPart: Substring
    let domain: Substring

    /// Parses an address; nil for one without a domain in ASCII, or with characters that could end the address or its
    /// line.
    public init?(_ text: String) {
        guard let at = text.lastIndex(of: "@") else { return nil }
        localPart = text[..<at]
        domain = text[text.index(after: at)...]
        let isWhole = (text.unicodeScalars).allSatisfy {
            $0.value > 0x20 && !(0x7F...0x9F).contains($0.value)
                && !"<>\"\\\u{2028}\u{2029}".unicodeScalars.contains($0)
        }
        guard isWhole, !localPart.isEmpty, !domain.isEmpty, domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    }

    var text: String { "\(localPart)@\(domain)" }

    /// The address for commands and header fields: quoted unless its local part is a dot-atom (RFC 5322 § 3.2.3).
    var specification: String {
        let atoms = localPart.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isDotAtom = atoms.allSatisfy { atom in
            !atom.isEmpty
                && atom.allSatisfy {
                    $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
                }
        }
        return isDotAtom ? text : "\"\(localPart)\"@\(domain)"
    }
}

/// A client for one of the operator's mail gateways.
public typealias MailGateway = Gateway<OutgoingMail>
