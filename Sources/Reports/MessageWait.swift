internal import Encodings
internal import PhoneAuth

/// The settings that should name gateways, for outboxes without any.
package struct UnsetGateways: Sendable {
    private let messages: String?
    private let mails: String?

    /// Creates the names; nil for an outbox that has gateways.
    package init(messages: String?, mails: String?) {
        self.messages = messages
        self.mails = mails
    }

    fileprivate subscript(outbox: Outbox) -> String? { outbox == .mails ? mails : messages }
}

/// Why a message is still in the outbox, in one line.
struct MessageWait: CustomStringConvertible {
    let description: String

    init(
        _ waiting: WaitingMessage?,
        in outbox: Outbox,
        _ unset: UnsetGateways,
        dispatchers: Int,
        at now: Instant
    ) {
        if let setting = unset[outbox] {
            description = "no gateway is configured: set \(setting)"
            return
        }
        let answer = waiting?.lastAnswer.map { "; last answer of \($0)" } ?? ""
        guard dispatchers > 0 else {
            description = "no dispatcher runs: systemctl start dialtone-dispatcher\(answer)"
            return
        }
        guard let waiting else {
            description = "being sent"
            return
        }
        let left = max(0, waiting.dueAt - now.milliseconds)
        let wait =
            left > 0
            ? "next attempt in \((left + 999) / 1000) s"
            : "waits for room at \(waiting.destinations.joined(separator: " or ")), busy or with an open circuit breaker"
        description = wait + answer
    }
}
