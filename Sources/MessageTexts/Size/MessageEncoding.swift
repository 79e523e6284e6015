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
