internal import Encodings
package import PhoneAuth

/// The settings that should name gateways, for outboxes without any.
package typealias UnsetGateways = [Outbox: String]

extension UnsetGateways {
    /// Returns why a message is still in its outbox, in one line.
    func wait(_ waiting: WaitingMessage?, in outbox: Outbox, dispatchers: Int, at now: Instant) -> String {
        if let setting = self[outbox] { return "no gateway is configured: set \(setting)" }
        let answer = waiting?.lastAnswer.map { "; last answer of \($0)" } ?? ""
        guard dispatchers > 0 else { return "no dispatcher runs: systemctl start dialtone-dispatcher\(answer)" }
        guard let waiting else { return "being sent" }
        let left = waiting.dueAt - now.milliseconds
        let wait =
            left > 0
            ? "next attempt in \((left + 999) / 1000) s"
            : "waits for room at \(waiting.destinations.joined(separator: " or ")), busy or with an open circuit breaker"
        return wait + answer
    }
}
