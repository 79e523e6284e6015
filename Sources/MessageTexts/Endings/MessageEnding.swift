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
