internal import Encodings
internal import MessageTexts
internal import RedisScripts

/// What the outbox contains about a message that a send queues, except its sealed number.
///
/// The worker packs it because every send writes it: the script only prepends what it decides. A message that is queued
/// again has a field for each value.
struct MessageContent {
    let purpose: Purpose
    let queuedAt: Instant
    /// The price at which the send counts the message in the day's spending.
    var price: Money
    let ending: MessageEnding?
    /// What the client sent, which may contain anything.
    let locale: String

    /// The values in the field `content`, one per line: those that `send-verification-code.lua` prepends, then those of
    /// ``lines``.
    static let lineNames = [
        "session", "expires", "counted", "purpose", "queued", "price", "ending", "locale",
    ]

    var lines: [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(128)
        lines.appendLine(purpose.rawValue)
        lines.appendLine(queuedAt.milliseconds)
        lines.appendLine(price.micros)
        lines.appendLine(ending?.stored ?? "")
        lines.append(locale)
        return lines
    }
}

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
