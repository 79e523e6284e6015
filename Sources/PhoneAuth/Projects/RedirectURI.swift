internal import Encodings

/// A redirect URI that an operator registered: a place to which the sign-in page may send users with an authorization
/// code (RFC 6749 § 3.1.2).
///
/// An app's redirect URI must equal it byte for byte (RFC 9700 § 2.1). The only exception is a loopback address that is
/// registered without a port: it matches any port, because a native app listens on a free one (RFC 8252 § 7.3).
public struct RedirectURI: Hashable, Sendable, CustomStringConvertible {
    private static let maximumByteCount = 2048

    private let text: String
    /// The scheme and host of a loopback address without a port; empty for any other URI.
    private let originOfAnyPort: String

    /// The URI as it was registered.
    public var description: String { text }

    /// Validates a URI: https, http with a loopback address, or a scheme of the app's own that has a period, such as
    /// `com.example.app:/signed-in` (RFC 8252 § 7.1). Nil for anything else, and for user information and fragments.
    public init?(_ text: String) {
        if let url = try? ServiceURL(text, allowsPlainLoopback: true) {
            let hasPort = HostAndPort(url.description.drop { $0 != "/" }.dropFirst(2))?.port != nil
            originOfAnyPort = text.hasPrefix("http://") && !hasPort ? url.description : ""
        } else {
            guard Self.hasOwnScheme(text) else { return nil }
            originOfAnyPort = ""
        }
        self.text = text
    }

    /// Returns whether a URI has a scheme of the app's own. A scheme without a period is a well-known one, such as
    /// `javascript`, or one that any app can claim.
    private static func hasOwnScheme(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = text.utf8.dropFirst(scheme.count + 1)
        return text.utf8.count <= maximumByteCount
            && scheme.first?.isASCIILowercaseLetter == true && scheme.contains(UInt8(ascii: "."))
            && scheme.allSatisfy { $0.isASCIIDigit || $0.isASCIILowercaseLetter || ".-".utf8.contains($0) }
            && rest.first == UInt8(ascii: "/")
            && rest.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}@".utf8.contains($0) }
    }

    /// Returns whether an app's redirect URI is this one. Bytes are compared, because Swift considers some texts with
    /// different bytes equal.
    func accepts(_ other: String) -> Bool {
        if other.utf8.elementsEqual(text.utf8) { return true }
        guard !originOfAnyPort.isEmpty, other.utf8.starts(with: originOfAnyPort.utf8) else { return false }
        let rest = other.utf8.dropFirst(originOfAnyPort.utf8.count)
        guard rest.first == UInt8(ascii: ":") else { return false }
        let port = rest.dropFirst().prefix { $0.isASCIIDigit }
        return port.first != UInt8(ascii: "0") && UInt16(String(decoding: port, as: UTF8.self)) != nil
            && rest.dropFirst(1 + port.count).elementsEqual(text.utf8.dropFirst(originOfAnyPort.utf8.count))
    }
}

/// An app's redirect URI that an operator registered.
public struct AcceptedRedirectURI: Hashable, Sendable {
    /// The URI as the app sent it.
    public let text: String

    fileprivate init(text: String) {
        self.text = text
    }
}

extension Project {
    /// Returns an app's redirect URI if the sign-in page may send users there.
    ///
    /// - Parameters:
    ///   - text: the URI that the app sent.
    ///   - acceptsLoopback: whether any loopback address is accepted, in development mode.
    /// - Returns: the URI; nil if no operator registered it (open redirect).
    public func redirectURI(_ text: String, acceptsLoopback: Bool) -> AcceptedRedirectURI? {
        let isLoopback = { text.hasPrefix("http://") && (try? ServiceURL(text, allowsPlainLoopback: true)) != nil }
        guard redirectURIs.contains(where: { $0.accepts(text) }) || acceptsLoopback && isLoopback() else { return nil }
        return AcceptedRedirectURI(text: text)
    }
}
