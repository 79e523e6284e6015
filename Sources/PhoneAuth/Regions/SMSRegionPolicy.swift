public import PhoneNumbers

/// To which regions a project sends: the protocol's `smsRegionConfig`.
///
/// A region is libphonenumber's, not a calling code: +1 alone is some 25 of them.
public enum SMSRegionPolicy: Hashable, Sendable {
    /// To all but these; a number without region is sent to.
    case allowByDefault(disallowed: Set<Region>)
    /// To these alone; a number without region is refused.
    case allowlistOnly(allowed: Set<Region>)

    /// To every number.
    public static let everywhere = SMSRegionPolicy.allowByDefault(disallowed: [])

    /// Does nothing where the policy allows messages to this number.
    /// - Throws: ``SMSRegionRefusal`` where it does not.
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

/// Why a policy allows no message to a number. The description names region and rule, for the operator's log.
public enum SMSRegionRefusal: Error, Hashable, CustomStringConvertible {
    /// The policy names the region among those that are disallowed.
    case disallowed(Region)
    /// The policy names the regions that are allowed, and this is none.
    case notAllowed(Region)
    /// The policy names the regions that are allowed, and the number has none.
    case noRegion
    /// The number is possible, but no region has assigned it.
    case unassigned
    /// The number is of no country (region 001), and no allow list names these.
    case nonGeographic

    /// Region and rule.
    public var description: String {
        switch self {
        case .disallowed(let region): "region \(region) is in the list of disallowed regions"
        case .notAllowed(let region): "region \(region) is not in the allow list"
        case .noRegion: "the number has no region, so it is not in the allow list"
        case .unassigned: "no region has assigned the number"
        case .nonGeographic: "numbers of no country (001) are refused unless the allow list names 001"
        }
    }
}
