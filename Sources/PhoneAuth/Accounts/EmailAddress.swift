internal import Encodings
/// An e-mail address in lower case: addresses are compared without regard to case.
///
/// Maximum lengths: RFC 5321 § 4.5.3.1. The local part may contain almost any character, including letters of any
/// script (RFC 6531), so only characters that no address contains are rejected.
struct EmailAddress: Hashable, Sendable, Confidential {
    /// The address.
    let text: String

    private static let maximumBytes = 254
    private static let maximumLocalPartBytes = 64
    private static let maximumLabelBytes = 63

    /// Reads an address; nil if it is invalid.
    init?(_ text: String) {
        let text = text.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumBytes, parts.count == 2, text.unicodeScalars.allSatisfy(Self.isAllowed),
            (1...Self.maximumLocalPartBytes).contains(parts[0].utf8.count), Self.isDomain(parts[1])
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: !"<>()[]\\,;:\"".unicodeScalars.contains(scalar)
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...maximumLabelBytes).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy(isAllowedInDomain)
        }
    }

    private static func isAllowedInDomain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }
}
