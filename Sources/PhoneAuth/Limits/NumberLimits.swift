public import PhoneNumbers
public import RedisStore

/// What the limits say of a number now.
public struct NumberLimits: Sendable {
    /// One limit on messages.
    public struct Sends: Sendable {
        /// What it counts by.
        public let scope: SendCounter.Scope
        /// How long its window is.
        public let window: Duration
        /// How many messages there are in the window.
        public let value: Int
        /// How many there may be.
        public let maximum: Int
        /// How many of these are kept for clients that signed in with the number before, if it has any.
        public let reserved: Int
        /// When the oldest message leaves the window, and so makes room; nil where there is none.
        public let oldestLeaves: Instant?
    }

    /// The wrong codes since the last right one that are not forgotten yet.
    public struct WrongCodes: Sendable {
        /// How many there were.
        public let value: Int
        /// How many are verified.
        public let maximum: Int
        /// In what time half of them are forgotten.
        public let halfLife: Duration
        /// When the last of them is forgotten; nil where there are none.
        public let forgottenAt: Instant?
        /// Until when clients that gave many of them must wait, the soonest first.
        public let clientsWaitUntil: [Instant]
    }

    /// The number; printed, it is masked.
    public let phone: E164
    /// The number's own windows, then those that it shares.
    public let sends: [Sends]
    /// Those for the number.
    public let wrongCodes: WrongCodes
    /// Those for the number as a test number.
    public let wrongTestCodes: WrongCodes
}

/// Why nothing was said of a number's limits, or done about them.
public enum NumberLimitsRefusal: Error, Equatable {
    case numberInvalid(PhoneNumberError)
    case unavailable(StoreUnavailable)
}

/// What an operator may look at and undo.
extension Authenticator {
    /// The windows and wrong codes of a number, and the windows that it shares with its project and the deployment. Those of
    /// networks and app credentials are not known by a number.
    /// - Throws: ``NumberLimitsRefusal``.
    public func limits(of number: String, in project: Project) throws(NumberLimitsRefusal) -> NumberLimits {
        let phone = try readNumber(number)
        let identity = identity(of: phone.text, in: project)
        let now = environment.now().milliseconds
        do {
            var sends: [NumberLimits.Sends] = []
            for limit in sendLimits(of: identity) + sharedSendLimits(in: project) {
                sends.append(NumberLimits.Sends(try store.usage(of: limit, now: now)))
            }
            return NumberLimits(
                phone: phone,
                sends: sends,
                wrongCodes: try wrongCodes(for: identity, isTestNumber: false, now),
                wrongTestCodes: try wrongCodes(for: identity, isTestNumber: true, now)
            )
        } catch {
            throw .unavailable(error)
        }
    }

    /// Forgets a number's messages and wrong codes, those for it as a test number, too. Shared windows stay as they are.
    /// - Returns: the number, and whether there was anything to forget.
    /// - Throws: ``NumberLimitsRefusal``.
    public func resetLimits(
        of number: String,
        in project: Project
    ) throws(NumberLimitsRefusal) -> (phone: E164, hadAny: Bool) {
        let phone = try readNumber(number)
        do {
            return (phone, try store.forgetLimits(of: identity(of: phone.text, in: project)))
        } catch {
            throw .unavailable(error)
        }
    }

    private func wrongCodes(
        for phone: PhoneIdentity,
        isTestNumber: Bool,
        _ now: Int64
    ) throws(StoreUnavailable) -> NumberLimits.WrongCodes {
        let limits = wrongCodeLimits(isTestNumber: isTestNumber)
        let usage = try store.wrongCodes(for: phone, isTestNumber: isTestNumber, limits, now: now)
        return NumberLimits.WrongCodes(
            value: usage.wrongCodes,
            maximum: limits.maximum,
            halfLife: .milliseconds(limits.halfLifeMilliseconds),
            forgottenAt: usage.forgottenAt.map { Instant(milliseconds: $0) },
            clientsWaitUntil: usage.clientsWaitUntil.map { Instant(milliseconds: $0) }
        )
    }

    private func readNumber(_ text: String) throws(NumberLimitsRefusal) -> E164 {
        do { return try phoneNumbers.parse(text) } catch { throw .numberInvalid(error) }
    }
}

extension NumberLimits.Sends {
    init(_ usage: SendUsage) {
        self.init(
            scope: usage.limit.counter.scope,
            window: .milliseconds(usage.limit.windowMilliseconds),
            value: usage.sends,
            maximum: usage.limit.maximum,
            reserved: usage.limit.reservedForKnownClients,
            oldestLeaves: usage.oldestLeaves.map { Instant(milliseconds: $0) }
        )
    }
}
