import PhoneAuth
import RedisScripts
import Testing

extension ExceededRateLimit {
    private struct Unexpected: Error {}

    /// Returns the limit that refused a send. The limit must not be one of the number's own.
    static func of(_ outcome: SendOutcome) throws -> ExceededRateLimit {
        guard case .exceeded(let exceeded) = outcome else {
            Issue.record("\(outcome)")
            throw Unexpected()
        }
        return exceeded
    }
}

/// Returns a different number for each message, so that no number reaches its own limit.
func fictionalNumber(_ index: Int) -> String { "+1650555\(1000 + index)" }
