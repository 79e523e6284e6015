internal import RedisScripts

/// What the outbox contains about a message that a send queues, except its sealed number.
///
/// The worker packs it because every send writes it: the script only prepends what it decides. A message that is queued
/// again has a field for each value.
struct MessageContent {
    let purpose: String
    /// Milliseconds since the Unix epoch.
    let queuedAt: Int64
    /// The price at which the send counts the message in the day's spending, in millionths.
    let price: Int64
    let ending: String
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
        lines.appendLine(purpose)
        lines.appendLine(queuedAt)
        lines.appendLine(price)
        lines.appendLine(ending)
        lines.append(locale)
        return lines
    }
}
