public import Encodings

/// A text message as sent to a gateway. It contains a code, so printing, interpolating or dumping it shows only the
/// type's name.
public struct MessageText: Sendable, Hashable, Confidential {
    /// The text that the phone shows, including the ending. It must not reach logs.
    public let text: String
    /// The size of the message on the network.
    public let size: MessageSize
    /// The language of the text.
    public let language: LanguageTag

    /// Creates a message and measures it.
    init(_ text: String, language: LanguageTag) {
        self.text = text
        self.language = language
        self.size = MessageSize(of: text)
    }
}

/// The size of a text message on the network, and so its cost: gateways charge for each segment.
public struct MessageSize: Sendable, Hashable {
    /// GSM 7-bit if its alphabet contains every character of the text, otherwise UCS-2.
    public let encoding: MessageEncoding
    /// The text's length in septets or UTF-16 code units, without headers.
    public let units: Int
    /// The number of messages on the network: 1 for up to 160 septets or 70 code units, otherwise as many parts of 153
    /// septets or 67 code units as needed.
    public let segments: Int

    /// Measures a text.
    ///
    /// The parts of a long message are filled as gateways fill them: neither an escape and its character nor a
    /// surrogate pair are split.
    ///
    /// - Parameter text: of any length.
    public init(of text: String) {
        let septets = text.unicodeScalars.map(GSMAlphabet.septets)
        if septets.contains(nil) {
            self.init(encoding: .ucs2, units: text.unicodeScalars.map { UTF16.width($0) })
        } else {
            self.init(encoding: .gsm7, units: septets.compactMap(\.self))
        }
    }

    private init(encoding: MessageEncoding, units: [Int]) {
        self.encoding = encoding
        self.units = units.reduce(0, +)
        self.segments = self.units <= encoding.unitsInOneSegment ? 1 : Self.parts(units, holding: encoding.unitsInPart)
    }

    private static func parts(_ characters: [Int], holding capacity: Int) -> Int {
        var parts = 1
        var room = capacity
        for units in characters {
            if units > room {
                parts += 1
                room = capacity
            }
            room -= units
        }
        return parts
    }
}

/// The encoding of a text message's characters (3GPP TS 23.038 § 4).
public enum MessageEncoding: Sendable, Hashable {
    /// The GSM 7-bit default alphabet with its extension table; the unit is the septet.
    case gsm7
    /// UCS-2, in practice UTF-16; the unit is the UTF-16 code unit.
    case ucs2

    /// The number of units in a single message: 140 octets of user data.
    var unitsInOneSegment: Int {
        switch self {
        case .gsm7: 160
        case .ucs2: 70
        }
    }

    /// The number of units in each part of a longer message: the concatenation header takes 6 octets (3GPP TS 23.040 §
    /// 9.2.3.24.1).
    var unitsInPart: Int {
        switch self {
        case .gsm7: 153
        case .ucs2: 67
        }
    }
}

/// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 § 6.2.1), formerly GSM 03.38.
///
/// National language shift tables are left out: not every gateway and network supports them.
enum GSMAlphabet {
    private static let basic = Set(
        """
        @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
        """.unicodeScalars
    )
    private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

    /// Returns the number of septets of a character: 1, or 2 for the extension table, including the escape; nil if the
    /// alphabet lacks the character.
    static func septets(of scalar: Unicode.Scalar) -> Int? {
        if basic.contains(scalar) { return 1 }
        return extended.contains(scalar) ? 2 : nil
    }
}
