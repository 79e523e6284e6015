/// What machines read at the end of a message. A message has one at most, since both kinds must stand last.
public enum MessageEnding: Sendable, Hashable {
    /// An origin-bound one-time code (WICG, "Origin-bound one-time codes delivered via SMS"): the last line is `@host #code`. Browsers
    /// offer the code on this host's site only.
    case boundTo(host: BoundHost)
    /// Android's SMS Retriever: the last line is the app's hash, and the whole message has at most 140 bytes. Google Play services hand
    /// the message to this app only.
    case smsRetriever(appHash: AppSignatureHash)

    /// The last line. One line feed before it is enough for every reader, and costs least.
    func line(code: String) -> String {
        switch self {
        case .boundTo(let host): "@\(host.text) #\(code)"
        case .smsRetriever(let appHash): appHash.text
        }
    }

    /// The most bytes that a whole message with this ending may have; nil where no rule says.
    ///
    /// Google's rule does not say bytes of which encoding. 140 bytes of UTF-8 in one segment, which holds 140 octets, meet every reading.
    var maximumBytes: Int? {
        switch self {
        case .boundTo: nil
        case .smsRetriever: 140
        }
    }
}
