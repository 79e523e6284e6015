public import PhoneNumbers

/// The regions that a project sends messages to: the protocol's `smsRegionConfig`.
///
/// The policy uses a number's region, not its calling code: +1 covers about 25 regions. A number that the numbering
/// data do not know has the main region of its calling code (``E164/effectiveRegion``).
public enum SMSRegionPolicy: Hashable, Sendable {
    /// All regions except these are allowed.
    case allowByDefault(disallowed: Set<Region>)
    /// Only these regions are allowed.
    case allowlistOnly(allowed: Set<Region>)

    /// Allows every number.
    public static let everywhere = SMSRegionPolicy.allowByDefault(disallowed: [])

    /// Checks that the policy allows messages to a number.
    /// - Throws: ``SMSRegionRefusal`` if it does not.
    func check(_ phone: E164) throws(SMSRegionRefusal) {
        let region = phone.effectiveRegion
        switch self {
        case .allowByDefault(let disallowed):
            if disallowed.contains(region) { throw .disallowed(region) }
        case .allowlistOnly(let allowed):
            guard allowed.contains(region) else { throw .notAllowed(region) }
        }
    }
}

/// What happens to numbers that are possible, but not in the numbering data. The data lag behind the world by months,
/// so users have such numbers; and SMS pumping uses ranges that no one lives in.
public enum UnassignedNumbers: String, Sendable {
    /// They get no messages. Their users can neither sign in nor be created.
    case refused
    /// They get messages. New clients must solve the hard challenge, and few messages to their million neighbors may
    /// stay unverified: see ``TollFraudPolicy``.
    case challenged
    /// They get messages like any other number. Numbers of no country (region 001) do, too.
    case allowed
}

/// Why a policy does not allow messages to a number. The description names region and rule, for the operator's log.
public enum SMSRegionRefusal: Error, Hashable, CustomStringConvertible {
    /// The region is in the list of disallowed regions.
    case disallowed(Region)
    /// The region is not in the allow list.
    case notAllowed(Region)
    /// The numbering data do not know the number, and the project refuses such numbers.
    case unassigned
    /// The number belongs to no country (region 001), and no allow list names that region.
    case nonGeographic

    /// The region and the rule.
    public var description: String {
        switch self {
        case .disallowed(let region): "region \(region) is in the list of disallowed regions"
        case .notAllowed(let region): "region \(region) is not in the allow list"
        case .unassigned: "the number is not in the numbering data, and the project refuses such numbers"
        case .nonGeographic: "non-geographic numbers (001) are refused unless the allow list contains 001"
        }
    }
}

extension Project {
    /// Returns whether the project accepts a number in its region: unless the numbering data do not know the number and
    /// the project refuses such numbers.
    func accepts(_ phone: E164) -> Bool { phone.isValid || unassignedNumbers != .refused }

    /// Returns whether the project sends messages to a number that is not a test number.
    public func sends(to phone: E164) -> Bool { accepts(phone) && sends(to: phone.effectiveRegion) }

    /// Returns whether the project sends messages to a region. Numbers of no country must be listed.
    public func sends(to region: Region) -> Bool {
        switch smsRegions {
        case .allowByDefault(let disallowed):
            !disallowed.contains(region) && (region != .nonGeographic || unassignedNumbers == .allowed)
        case .allowlistOnly(let allowed): allowed.contains(region)
        }
    }
}
