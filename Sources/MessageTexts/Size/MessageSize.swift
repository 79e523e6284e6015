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
