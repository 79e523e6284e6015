public import PhoneNumbers

/// The regions that a project sends messages to: the protocol's `smsRegionConfig`.
///
/// The policy uses libphonenumber's region of a number, not its calling code: +1 covers about 25 regions.
public enum SMSRegionPolicy: Hashable, Sendable {
    /// All regions except these are allowed, and so are numbers without a region.
    case allowByDefault(disallowed: Set<Region>)
    /// Only these regions are allowed; numbers without a region are rejected.
    case allowlistOnly(allowed: Set<Region>)

    /// Allows every number.
    public static let everywhere = SMSRegionPolicy.allowByDefault(disallowed: [])

    /// Checks that the policy allows messages to a number.
    /// - Throws: ``SMSRegionRefusal`` if it does not.
    public func check(_ phone: E164) throws(SMSRegionRefusal) {
        switch (self, phone.region) {
        case (.allowByDefault(let disallowed), let region?):
            if disallowed.contains(region) { throw .disallowed(region) }
        case (.allowByDefault, nil):
            break
        case (.allowlistOnly(let allowed), let region?):
            guard allowed.contains(region) else { throw .notAllowed(region) }
        case (.allowlistOnly, nil):
            throw .noRegion
        }
    }
}

/// Why a policy does not allow messages to a number. The description names region and rule, for the operator's log.
public enum SMSRegionRefusal: Error, Hashable, CustomStringConvertible {
    /// The region is in the list of disallowed regions.
    case disallowed(Region)
    /// The region is not in the allow list.
    case notAllowed(Region)
    /// There is an allow list, and the number has no region.
    case noRegion
    /// The number is possible, but no region has assigned it.
    case unassigned
    /// The number belongs to no country (region 001), and no allow list names that region.
    case nonGeographic

    /// The region and the rule.
    public var description: String {
        switch self {
        case .disallowed(let region): "region \(region) is in the list of disallowed regions"
        case .notAllowed(let region): "region \(region) is not in the allow list"
        case .noRegion: "the number has no region, so it is not in the allow list"
        case .unassigned: "the number is not assigned in any region"
        case .nonGeographic: "non-geographic numbers (001) are refused unless the allow list contains 001"
        }
    }
}
