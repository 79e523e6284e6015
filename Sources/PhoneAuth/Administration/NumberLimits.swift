public import Encodings
public import PhoneNumbers
internal import RedisScripts

/// The current state of a number's rate limits.
public struct NumberLimits: Sendable {
    /// The decaying count of wrong codes since the last correct one.
    public struct WrongCodes: Sendable {
        /// Whether they are codes for the number as a test number.
        public let areTestCodes: Bool
        /// The number of wrong codes.
        public let value: Int
        /// The maximum number of wrong codes that are verified.
        public let maximum: Int
        /// The half-life of the count.
        public let halfLife: Duration
        /// When the count reaches zero; nil if it is zero.
        public let forgottenAt: Instant?
        /// When clients that entered many wrong codes may try again, the soonest first.
        public let clientsWaitUntil: [Instant]
    }

    /// The number; its description is masked.
    public let phone: E164
    /// The number's own windows, then the windows that it shares.
    public let sends: [RateLimitUsage]
    /// Whether a part of the number's own windows is reserved for known clients: it has some.
    public let hasKnownClients: Bool
    /// The wrong codes for the number.
    public let wrongCodes: WrongCodes
    /// The wrong codes for the number as a test number.
    public let wrongTestCodes: WrongCodes
    /// The wrong codes of new clients for the number as a test number.
    public let wrongTestCodesOfNewClients: RateLimitUsage
}

/// Rate limits that an operator can inspect and reset.
extension OperationContext {
    /// Returns the windows and wrong codes of a number, and the windows that it shares with its project. Limits per
    /// network or per app credential cannot be looked up by number.
    /// - Throws: ``NumberRefusal``.
    public func limits(of number: String) throws(NumberRefusal) -> NumberLimits {
        let phone = try readNumber(number)
        let identity = identity(of: phone.text)
        do {
            return NumberLimits(
                phone: phone,
                sends: try usage(of: sendLimits(of: identity) + projectSendLimits()),
                hasKnownClients: try store.hasKnownClients(identity),
                wrongCodes: try wrongCodes(for: identity, isTestNumber: false),
                wrongTestCodes: try wrongCodes(for: identity, isTestNumber: true),
                wrongTestCodesOfNewClients: try store.usage(
                    of: .wrongTestCodes(
                        for: identity,
                        .day(WrongCodeLimits(policy, isTestNumber: true).newClientsPerDay)
                    ),
                    now: now.milliseconds
                )
            )
        } catch {
            throw .unavailable(error)
        }
    }

    /// Resets a number's messages and wrong codes, including its wrong codes as a test number. Shared windows are
    /// unchanged.
    /// - Returns: the number, and whether there was anything to reset.
    /// - Throws: ``NumberRefusal``.
    public func resetLimits(of number: String) throws(NumberRefusal) -> (phone: E164, hadAny: Bool) {
        let phone = try readNumber(number)
        let identity = identity(of: phone.text)
        try NumberRefusal.wrapping(recordChange("limits reset \(phone)", of: identity))
        return (phone, try NumberRefusal.wrapping(store.forgetLimits(of: identity)))
    }

    private func wrongCodes(
        for phone: PhoneIdentity,
        isTestNumber: Bool
    ) throws(StoreUnavailable) -> NumberLimits.WrongCodes {
        let limits = WrongCodeLimits(policy, isTestNumber: isTestNumber)
        let usage = try store.wrongCodes(for: phone, isTestNumber: isTestNumber, limits, now: now.milliseconds)
        return NumberLimits.WrongCodes(
            areTestCodes: isTestNumber,
            value: usage.wrongCodes,
            maximum: limits.maximum,
            halfLife: limits.halfLife,
            forgottenAt: usage.forgottenAt.map { Instant(milliseconds: $0) },
            clientsWaitUntil: usage.clientsWaitUntil.map { Instant(milliseconds: $0) }
        )
    }

    func readNumber(_ text: String) throws(NumberRefusal) -> E164 {
        do { return try phoneNumbers.parse(text) } catch { throw .numberInvalid(error) }
    }
}
