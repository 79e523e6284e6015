internal import Encodings

/// The end of a message for WebOTP or SMS Retriever autofill. A message has at most one, because both must be the last
/// line.
public enum MessageEnding: Sendable, Hashable {
    /// An origin-bound one-time code for WebOTP (WICG, "Origin-bound one-time codes delivered via SMS"): the last line
    /// is `@host #code`. Browsers offer the code only on this host's site.
    case boundTo(host: BoundHost)
    /// Android's SMS Retriever: the last line is the app's hash, and the whole message has at most 140 bytes. Google
    /// Play services pass the message only to this app.
    case smsRetriever(appHash: AppSignatureHash)

    /// Returns the last line. A single line feed before it suffices for every parser, and costs the least.
    func line(code: String) -> String {
        switch self {
        case .boundTo(let host): "@\(host.text) #\(code)"
        case .smsRetriever(let appHash): appHash.text
        }
    }

    /// The maximum length of a whole message with this ending, in bytes; nil if there is no limit.
    ///
    /// Google does not name the encoding of its limit. 140 bytes of UTF-8 in one segment, which holds 140 octets,
    /// satisfy every interpretation.
    var maximumBytes: Int? {
        switch self {
        case .boundTo: nil
        case .smsRetriever: 140
        }
    }
}

/// The host of the site to which a one-time code is bound (WebOTP): an ASCII domain name in lower case, without scheme
/// or port.
///
/// Browsers make it an `https` origin with the default port (WICG, "Origin-bound one-time codes delivered via SMS", §
/// Parsing), so a port is not allowed.
public struct BoundHost: Sendable, Hashable {
    /// The host, such as `example.com`; an internationalized name in its `xn--` form.
    public let text: String

    /// Lower-cases a host name. Returns nil if `text` is not a host name of letters, digits and hyphens (RFC 1123 §
    /// 2.1) or is an IPv4 address.
    public init?(_ text: String) {
        // Some non-ASCII letters lower-case to ASCII, such as the Kelvin sign.
        guard (1...253).contains(text.utf8.count), text.isASCII else { return nil }
        let lowered = text.lowercased()
        let labels = lowered.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(Self.isLabel) else { return nil }
        // A last label of digits makes a URL's host an IPv4 address or invalid (WHATWG URL § 3.5).
        guard let last = labels.last, !last.allSatisfy(\.isASCIIDigit) else { return nil }
        self.text = lowered
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy { $0.isASCIIDigit || $0.isASCIILowercaseLetter || $0 == hyphen }
    }
}

/// The hash by which Google Play services recognize messages for an Android app (SMS Retriever): the first 11
/// characters of the Base64 form of a SHA-256 of its package name and certificate.
public struct AppSignatureHash: Sendable, Hashable {
    /// The 11 characters, as clients send them in `autoRetrievalInfo.appSignatureHash`.
    public let text: String

    /// Returns nil unless `text` is exactly 11 characters of the Base64 alphabet (RFC 4648 § 4).
    public init?(_ text: String) {
        let isBase64 = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+/".utf8.contains($0) }
        guard text.utf8.count == 11, isBase64 else { return nil }
        self.text = text
    }
}
