/// The second factors of a project's users: the protocol's `mfa`.
public struct SecondFactorPolicy: Hashable, Sendable {
    /// The protocol's `state`.
    public enum State: String, Sendable, CaseIterable {
        /// Second factors are off.
        case off = "DISABLED"
        /// A user who has a second factor must use it.
        case optional = "ENABLED"
        /// Every user needs a second factor; users without one must enroll.
        case required = "MANDATORY"
    }

    /// A kind of second factor that a project may allow.
    public enum Kind: Sendable {
        case sms
        case totp
    }

    /// The most steps of 30 seconds that a TOTP code may be early or late: the protocol's `adjacentIntervals`.
    public static let maximumAdjacentIntervals = 10

    /// Whether second factors are off, optional or required.
    public var state: State
    /// Whether SMS codes are a second factor.
    public var allowsSMS: Bool
    /// How many steps of 30 seconds a TOTP code may be early or late; nil if TOTP is not allowed.
    public var adjacentIntervals: Int?

    /// Returns whether users can enroll a kind of second factor.
    public func allows(_ kind: Kind) -> Bool {
        switch kind {
        case _ where state == .off: false
        case .sms: allowsSMS
        case .totp: adjacentIntervals != nil
        }
    }

    /// Returns the policy with the operators' changes.
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

    /// Creates a policy.
    public init(state: State = .off, allowsSMS: Bool = false, adjacentIntervals: Int? = nil) {
        self.state = state
        self.allowsSMS = allowsSMS
        self.adjacentIntervals = adjacentIntervals
    }
}

/// The operators' changes to a ``SecondFactorPolicy``; nil means unchanged.
struct SecondFactorPolicyChange: Hashable, Sendable {
    /// The change of TOTP.
    enum TOTP: Hashable, Sendable {
        /// TOTP is not allowed.
        case off
        /// TOTP codes may be `adjacentIntervals` steps early or late.
        case on(adjacentIntervals: Int)
    }

    /// Whether second factors are off, optional or required.
    var state: SecondFactorPolicy.State?
    /// Whether SMS codes are a second factor.
    var allowsSMS: Bool?
    /// The change of TOTP.
    var totp: TOTP?

    /// Creates an empty change.
    public init() {}
}
