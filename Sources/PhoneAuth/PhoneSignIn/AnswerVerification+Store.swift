internal import Metrics
internal import Redis
public import RedisScripts

/// The outcome of an answer to a session.
public enum VerificationAnswer: Sendable {
    /// The code is correct and the session is used up. The associated value is the number's claim, if any.
    case right(IdentifierClaim?)
    /// The code is correct, but the number does not have the required claim. Nothing was changed; the code stays
    /// valid.
    case noRoom
    case wrong(attemptsLeft: Int)
    /// All attempts had already been spent.
    case exhausted
    /// The session was already used by a correct code.
    case used
    /// The session has expired, perhaps so long ago that Redis no longer has it.
    case expired
    /// Rejected without verification: too many wrong codes for the number, or from this client, since the last
    /// correct one.
    case blocked(WrongCodeBlock)

    /// The effect of a correct code on the number's claim.
    public enum ClaimUse: Sendable {
        /// Uses the current claim, if the number has one.
        case current
        /// Gives this claim to a number that has none.
        case proposed(IdentifierClaim)
        /// Uses up the code only if the number has this claim; nil if no account holds the number. There is no room for
        /// another account.
        case required(IdentifierClaim?)
    }
}

extension VerificationAnswer.ClaimUse {
    fileprivate var claim: IdentifierClaim? {
        switch self {
        case .current: nil
        case .proposed(let claim): claim
        case .required(let claim): claim
        }
    }

    fileprivate var isRequirement: Bool {
        if case .required = self { true } else { false }
    }
}

extension Store {
    /// Counts an answer, and uses up the session if its code `isRight`, in one atomic step.
    ///
    /// A correct code shows that the session's messages reached a real user: ranges and ledger count them as verified.
    ///
    /// Times are in milliseconds; `now` is since the Unix epoch. `isOfAccount` is true if the request carries an ID
    /// token of the account that holds the number. `testCodeHash` is the keyed hash of a test number's present code;
    /// nil for other numbers.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown. A retry with the same request id
    ///   is not counted twice.
    public func answerVerification(
        id: VerificationID,
        phone: PhoneIdentity,
        isRight: Bool,
        requestID: String,
        isOfAccount: Bool,
        claimUse: VerificationAnswer.ClaimUse,
        now: Int64,
        tombstoneMilliseconds: Int64,
        testCodeHash: String?,
        wrongCodes: WrongCodeLimits,
        ranges: NumberRanges,
        rangeHalfLifeMilliseconds: Int64,
        ledgerMilliseconds: Int64
    ) throws(StoreUnavailable) -> VerificationAnswer {
        let isTestNumber = testCodeHash != nil
        let wrongCodesKey = KeyNames.wrongCodes(phone, isTestNumber: isTestNumber)
        let keys: NamedValues<String> = [
            "sessionKey": KeyNames.verification(id),
            "claimKey": KeyNames.identifier(phone),
            "lockPrefix": KeyNames.lock(phone, binding: ""),
            "wrongCodesKey": wrongCodesKey,
            "newClientsKey": isTestNumber ? RateLimit.wrongTestCodes(for: phone, .day(1)).key : wrongCodesKey,
            "knownClientsKey": KeyNames.knownClients(phone, testCodeHash: testCodeHash),
            "regionKey": KeyNames.region(ranges),
            "seriesKey": KeyNames.series(ranges),
            "blockKey": KeyNames.block(ranges),
            "ledgerKey": KeyNames.ledger(of: phone.project, day: now / Self.dayMilliseconds, series: ranges.series),
        ]
        let arguments: NamedValues<Argument> = [
            "now": .integer(now),
            "request": .text(requestID),
            "claim": .text(claimUse.claim?.text ?? ""),
            "place": .text(ranges.place(of: "")),
            "flags": .flags([isRight, isOfAccount, claimUse.isRequirement]),
        ]
        let rules = AnswerRules(
            wrongCodes: wrongCodes,
            tombstoneMilliseconds: tombstoneMilliseconds,
            rangeHalfLifeMilliseconds: rangeHalfLifeMilliseconds,
            ledgerMilliseconds: ledgerMilliseconds
        )
        let reply = try run(.answerVerification, with: rules, isConfirmed: true, keys: keys, arguments)
        guard try reply.outcome() == "right" else { return try Self.refusal(reply) }
        // The reply to a repeated call has no gateway.
        if !isTestNumber, let gateway = try? reply.text(at: 2) {
            MetricFamily.codesVerified.count(ranges.region, gateway.isEmpty ? "none" : gateway)
        }
        return .right(try IdentifierClaim.current(try reply.text(at: 1)))
    }

    private static func refusal(_ reply: ScriptReply) throws(StoreUnavailable) -> VerificationAnswer {
        switch try reply.outcome() {
        case "no-room": return .noRoom
        case "wrong": return .wrong(attemptsLeft: Int(try reply.integer(at: 1)))
        case "exhausted": return .exhausted
        case "used": return .used
        case "expired": return .expired
        case "blocked":
            let scope = try reply.text(at: 1)
            MetricFamily.rateLimitsExceeded.count("wrong codes", scope == "client" ? "client" : "number")
            return .blocked(
                WrongCodeBlock(
                    isOfClient: scope == "client",
                    wrongCodes: Int(try reply.integer(at: 2)),
                    retryAfterMilliseconds: try reply.integer(at: 3)
                )
            )
        default: throw .unexpectedReply
        }
    }
}

/// The settings that all answers to sessions share.
struct AnswerRules: ScriptRules {
    let wrongCodes: WrongCodeLimits
    let tombstoneMilliseconds: Int64
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64

    /// Lua that declares the rules for `answer-verification.lua`. Values that only Redis reads are strings. All are
    /// single values, because Lua would create a table in every call.
    var constants: String {
        """
        local maximum,reserved=\(wrongCodes.maximum),\(wrongCodes.reservedForKnownClients) \
        local freeWrongCodes,longestWait=\(wrongCodes.perClientBeforeWait),\(wrongCodes.longestWaitMilliseconds) \
        local halfLife,maximumKnownClients=\(wrongCodes.halfLifeMilliseconds),\(wrongCodes.knownClients) \
        local knownClientLife,tombstoneLife='\(wrongCodes.knownClientMilliseconds)','\(tombstoneMilliseconds)' \
        local rangeHalfLife,ledgerLife=\(rangeHalfLifeMilliseconds),'\(ledgerMilliseconds)' \
        local newClientsPerDay,day=\(wrongCodes.newClientsPerDay),'\(RateLimit.Window.day(1).milliseconds)'

        """
    }
}
