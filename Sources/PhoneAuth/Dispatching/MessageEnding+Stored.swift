internal import MessageTexts

/// The form of an ending in the outbox: `@host`, or the hash of an Android app.
extension MessageEnding {
    var stored: String {
        switch self {
        case .boundTo(let host): "@" + host.text
        case .smsRetriever(let appHash): appHash.text
        }
    }

    init?(stored text: String) {
        if text.hasPrefix("@") {
            guard let host = BoundHost(String(text.dropFirst())) else { return nil }
            self = .boundTo(host: host)
        } else {
            guard let appHash = AppSignatureHash(text) else { return nil }
            self = .smsRetriever(appHash: appHash)
        }
    }
}
