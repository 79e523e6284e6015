/// A counted event that can be taken back from some of the limits that counted it (refund).
public struct RateLimitRefund: Sendable {
    let project: String
    let eventID: String
    let limits: [RateLimit]
}
