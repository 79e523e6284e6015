internal import Encodings

/// A phone number in E.164 form: `+` and at most 15 digits, without a national prefix.
///
/// Only ``PhoneNumbers/parse(_:)-(String)`` creates one, so a value of this type is always a possible number, and equal
/// numbers are equal values, however they were typed. Printing, interpolating, dumping or reflecting a number shows
/// only its last four digits. The full number is in ``text`` and must not reach logs.
public struct E164: Hashable, Sendable {
    /// The calling code and the national number. No calling code begins with 0, so an integer keeps every digit.
    let digits: UInt64

    /// The number's region; nil if the numbering data do not have the number's range, such as +1 999….
    public let region: Region?

    /// The main region of the number's calling code, such as US for +1; ``Region/nonGeographic`` for calling codes that
    /// belong to no country.
    public let mainRegion: Region

    /// Whether the numbering data have the number's range. Such a number need not be in use. A number outside all
    /// ranges may exist: regions open new ranges before the data have them.
    public let isValid: Bool

    /// The full number, such as `+16505550100`: for sending, for storing in sealed form, and for showing it to its
    /// owner.
    public var text: String {
        let number = Int64(digits)
        return String(byteCount: 1 + number.decimalByteCount) { text in
            text.append("+")
            text.appendDecimal(number)
        }
    }
}

extension E164: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number with all but its last four digits masked: `+•••••••0100`.
    public var description: String {
        var text = text
        return text.withUTF8 { text in
            let shown = UnsafeBufferPointer(rebasing: text.dropFirst().suffix(4))
            let dots = text.count - 1 - shown.count
            return String(byteCount: 1 + Self.dot.utf8CodeUnitCount * dots + shown.count) { masked in
                masked.append("+")
                for _ in 0..<dots { masked.append(Self.dot) }
                masked.append(copying: shown)
            }
        }
    }

    private static let dot: StaticString = "•"

    /// Masked like ``description``.
    public var debugDescription: String { description }

    /// Shows nothing, so that `dump` and test failures print the masked form only.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension E164 {
    /// The region whose lists, prices and spending caps apply to the number: its own or, if the numbering data do not
    /// know the number, the main region of its calling code.
    ///
    /// So an unknown number of +1 counts as US, and a list that allows only Jamaica does not allow it.
    public var effectiveRegion: Region { region ?? mainRegion }
}

extension PhoneNumbers {
    /// Returns the region of a number for operators, and whether the numbering data do not know the number.
    public func regionInWords(of phone: E164) -> String {
        phone.isValid
            ? phone.effectiveRegion.description
            : "\(phone.effectiveRegion), not in numbering data of \(data.date)"
    }
}
