/// Whether users have second factors, and which: the protocol's `mfa`.
public struct SecondFactorPolicy: Hashable, Sendable {
    /// The protocol's `state`.
    public enum State: String, Sendable, CaseIterable {
        /// Nobody is asked for one.
        case off = "DISABLED"
        /// Who has one is asked for it.
        case optional = "ENABLED"
        /// Who has none must enrol one.
        case required = "MANDATORY"
    }

    /// The most steps of 30 seconds that a TOTP code may be early or late: the protocol's `adjacentIntervals`.
    public static let maximumAdjacentIntervals = 10

    /// Whether users are asked for one.
    public var state: State
    /// Whether codes by SMS are one.
    public var allowsSMS: Bool
    /// How many steps of 30 seconds a TOTP code may be early or late; nil where TOTP is no factor.
    public var adjacentIntervals: Int?

    /// A policy.
    public init(state: State = .off, allowsSMS: Bool = false, adjacentIntervals: Int? = nil) {
        self.state = state
        self.allowsSMS = allowsSMS
        self.adjacentIntervals = adjacentIntervals
    }
}
