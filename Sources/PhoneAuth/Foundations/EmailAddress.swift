internal import CIDN2
public import Encodings

/// An e-mail address in the one form in which addresses are stored and compared: in lower case, the local part in
/// Unicode's normalization form C, and the domain in ASCII. So `Ann@bücher.example` is `ann@xn--bcher-kva.example`, as
/// browsers send it from an e-mail field. Every mail server accepts such a domain, and lookalike domains are visible.
///
/// Maximum lengths: RFC 5321 § 4.5.3.1. The local part may contain almost any character, including letters of any
/// script (RFC 6531), so only characters that no address contains are rejected.
public struct EmailAddress: Hashable, Sendable, Confidential {
    /// The address.
    public let text: String

    private static let maximumBytes = 254
    private static let maximumLocalPartBytes = 64
    private static let maximumLabelBytes = 63
    /// Before normalization, which can make a text three times shorter.
    private static let maximumTypedBytes = 3 * maximumBytes

    /// Reads an address; nil if it is invalid.
    public init?(_ typed: String) {
        guard typed.utf8.count <= Self.maximumTypedBytes, typed.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
        let parts = typed.lowercased().split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let localPart = Self.converted(parts[0], cidn2_normalize),
            let domain = Self.converted(parts[1], cidn2_encode_domain)
        else { return nil }
        text = "\(localPart)@\(domain)"
        guard text.utf8.count <= Self.maximumBytes, (1...Self.maximumLocalPartBytes).contains(localPart.utf8.count),
            Self.isDomain(domain)
        else { return nil }
    }

    /// Returns a part's form by a function of libidn2; an ASCII part is returned unchanged.
    private static func converted(
        _ part: Substring,
        _ write: (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> String? {
        let part = String(part)
        guard !part.isASCII else { return part }
        var buffer = [CChar](repeating: 0, count: maximumBytes)
        let length = part.withCString { write($0, &buffer, maximumBytes) }
        guard length >= 0 else { return nil }
        return String(validating: buffer.prefix(length), as: UTF8.self)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: !"<>()[]\\,;:\"".unicodeScalars.contains(scalar)
        }
    }

    private static func isDomain(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...maximumLabelBytes).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy(isAllowedInDomain)
        }
    }

    private static func isAllowedInDomain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
