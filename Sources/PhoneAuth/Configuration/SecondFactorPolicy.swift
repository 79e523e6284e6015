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

    /// The policy with what operators changed of it.
    func changed(by change: SecondFactorPolicyChange) -> SecondFactorPolicy {
        var policy = self
        if let state = change.state { policy.state = state }
        if let allowsSMS = change.allowsSMS { policy.allowsSMS = allowsSMS }
        switch change.totp {
        case nil: break
        case .off: policy.adjacentIntervals = nil
        case .on(let adjacentIntervals): policy.adjacentIntervals = adjacentIntervals
        }
        return policy
    }

    /// A policy.
    public init(state: State = .off, allowsSMS: Bool = false, adjacentIntervals: Int? = nil) {
        self.state = state
        self.allowsSMS = allowsSMS
        self.adjacentIntervals = adjacentIntervals
    }
}

/// What operators changed of a ``SecondFactorPolicy``. What is nil is as it was.
public struct SecondFactorPolicyChange: Hashable, Sendable {
    /// What becomes of TOTP.
    public enum TOTP: Hashable, Sendable {
        /// It is no factor.
        case off
        /// Its codes may be so many steps early or late.
        case on(adjacentIntervals: Int)
    }

    /// Whether users are asked for one.
    public var state: SecondFactorPolicy.State?
    /// Whether codes by SMS are one.
    public var allowsSMS: Bool?
    /// What becomes of TOTP.
    public var totp: TOTP?

    /// A change that changes nothing.
    public init() {}
}
