import PhoneAuth
import RedisStore
import Testing

extension ExceededRateLimit {
    private struct Unexpected: Error {}

    /// The limit that must have refused a send; not one of the number.
    static func of(_ outcome: SendOutcome) throws -> ExceededRateLimit {
        guard case .exceeded(let exceeded) = outcome else {
            Issue.record("\(outcome)")
            throw Unexpected()
        }
        return exceeded
    }
}

/// A number for each message, so that no number's own limit is met.
func fictionalNumber(_ index: Int) -> String { "+1650555\(1000 + index)" }
