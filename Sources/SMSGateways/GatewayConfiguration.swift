public import Encodings

/// An operator's name for a gateway: 1 to 32 of `a`…`z`, `0`…`9` and `-`, beginning with a letter.
///
/// The name appears unescaped in the settings, in logs and in the path of receipt URLs.
public struct GatewayName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Creates a name; nil if the text is not valid.
    public init?(_ text: some StringProtocol) {
        guard (1...32).contains(text.utf8.count), let first = text.utf8.first, first.isASCIILowercaseLetter else {
            return nil
        }
        guard text.utf8.allSatisfy({ $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        self.text = String(text)
    }

    /// The name.
    public var description: String { text }
}

/// The URL of a gateway, or the URL to which a gateway sends receipts.
///
/// The description shows only scheme, host and port, because operators put tokens in paths and queries.
public struct GatewayURL: Hashable, Sendable, Confidential {
    /// The whole URL.
    public let text: String

    /// Validates a URL without user information or fragment. Its scheme is `https`, or `http` if the host is a loopback
    /// address, because that traffic stays on the machine.
    ///
    /// Host names are not accepted with `http`, not even `localhost`, because name resolution decides where they point.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public init(_ text: String) throws(GatewayConfigurationError) {
        do {
            self.text = try ServiceURL(text, allowsPlainLoopback: true).text
        } catch {
            switch error {
            case .malformed: throw .malformedURL
            case .notHTTPS: throw .notHTTPS
            }
        }
    }

    /// Scheme, host and port.
    public var description: String { ServiceURL.origin(of: text) }

    /// Returns the URL with a path appended to its own.
    func appending(path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
    }

    /// Returns the URL with a query parameter added.
    func appending(field name: String, _ value: String) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(name)=\(PercentEncoding.encode(value))"
    }
}

/// A gateway's token, key or password. It is never empty, and its description shows nothing of it.
public struct GatewaySecret: Hashable, Sendable, Confidential {
    /// The secret.
    public let text: String

    /// Wraps a secret.
    ///
    /// - Parameter text: the secret as the gateway's console shows it: 1 to 512 printable ASCII characters without
    ///   spaces.
    /// - Throws: ``GatewayConfigurationError/malformedSecret``
    public init(_ text: String) throws(GatewayConfigurationError) {
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .malformedSecret
        }
        self.text = text
    }

    /// The secret's bytes.
    var bytes: [UInt8] { Array(text.utf8) }

    /// Returns whether `other` is the same text. Compares in constant time; only the lengths may leak.
    func matches(_ other: String) -> Bool {
        equalInConstantTime(bytes, Array(other.utf8))
    }
}

/// An invalid part of a gateway's configuration. The description never contains a secret.
public enum GatewayConfigurationError: Error, Equatable, CaseIterable, CustomStringConvertible {
    case malformedURL
    case notHTTPS
    case malformedSecret
    case weakKey

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformedURL: "the URL is not an absolute https URL, or it has user information or a fragment"
        case .notHTTPS: "the URL is not https; only a server of yours at a loopback address may use http"
        case .malformedSecret: "the secret is not 1 to 512 printable ASCII characters without spaces"
        case .weakKey: "the key is shorter than 32 characters"
        }
    }
}
