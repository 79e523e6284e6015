internal import Encodings
internal import Metrics
internal import PhoneNumbers
internal import Redis
internal import RedisScripts

/// The effect of a correct code on the number's claim.
enum ClaimUse {
    /// Uses the current claim, if the number has one.
    case current
    /// Gives this claim to a number that has none.
    case proposed(IdentifierClaim)
    /// Uses up the code only if the number has this claim; nil if no account holds the number. There is no room for
    /// another account.
    case required(IdentifierClaim?)

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
    /// `isOfAccount` is true if the request carries an ID token of the account that holds the number. `testCodeHash` is
    /// the keyed hash of a test number's present code; nil for other numbers.
    /// - Returns: the number's claim, if any, if the code is correct.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown. A retry with the same request id
    ///   is not counted twice.
    func answerVerification(
        _ answer: ReadAnswer,
        isRight: Bool,
        isOfAccount: Bool,
        testCodeHash: String?,
        claimUse: ClaimUse,
        requestID: String,
        under policy: Policy,
        at now: Instant
    ) throws(StoreUnavailable) -> Result<IdentifierClaim?, VerificationCodeRefusal> {
        let (phone, ranges, isTestNumber) = (answer.identity, answer.ranges, testCodeHash != nil)
        let wrongCodesKey = KeyNames.wrongCodes(phone, isTestNumber: isTestNumber)
        let day = now.milliseconds / Self.dayMilliseconds
        let keys: NamedValues<String> = [
            "sessionKey": KeyNames.verification(answer.ticket.id),
            "claimKey": KeyNames.identifier(phone),
            "lockPrefix": KeyNames.lock(phone, binding: ""),
            "wrongCodesKey": wrongCodesKey,
            "newClientsKey": isTestNumber ? RateLimit.wrongTestCodes(for: phone, .day(1)).key : wrongCodesKey,
            "knownClientsKey": KeyNames.knownClients(phone, testCodeHash: testCodeHash),
            "regionKey": KeyNames.region(ranges),
            "seriesKey": KeyNames.series(ranges),
            "blockKey": KeyNames.block(ranges),
            "ledgerKey": KeyNames.ledger(of: phone.project, day: day, series: ranges.series),
            "gatewayCountsKey": KeyNames.gatewayCounts(phone.project),
        ]
        let arguments: NamedValues<Argument> = [
            "now": .integer(now.milliseconds),
            "request": .text(requestID),
            "claim": .text(claimUse.claim?.text ?? ""),
            "place": .text(ranges.place(of: "")),
            "flags": .flags([isRight, isOfAccount, claimUse.isRequirement]),
        ]
        let rules = AnswerRules(
            wrongCodes: WrongCodeLimits(policy, isTestNumber: isTestNumber),
            tombstoneLife: policy.tombstoneLifetime,
            explores: policy.routing.exploration > 0
        )
        let call = ScriptCall(.answerVerification, with: rules, keys: keys, arguments)
        let reply = try run(call, isConfirmed: true)
        guard try reply.outcome() == "right" else { return .failure(try Self.refusal(reply, of: answer.phone)) }
        // The reply to a repeated call has no gateway.
        if !isTestNumber, let gateway = try? reply.text(at: 2) {
            MetricFamily.codesVerified.count(ranges.region, gateway.isEmpty ? "none" : gateway)
        }
        return .success(try IdentifierClaim.current(try reply.text(at: 1)))
    }

    private static func refusal(
        _ reply: ScriptReply,
        of phone: E164
    ) throws(StoreUnavailable) -> VerificationCodeRefusal {
        switch try reply.outcome() {
        case "no-room": return .failed(.notAdmitted(.memoryNearlyFull))
        case "wrong": return .codeWrong(attemptsLeft: Int(try reply.integer(at: 1)), phone)
        case "exhausted": return .attemptsSpent(phone)
        case "used": return .sessionEnded(used: true, phone)
        case "expired": return .sessionEnded(used: false, phone)
        case "blocked":
            let isOfClient = try reply.text(at: 1) == "client"
            MetricFamily.rateLimitsExceeded.count("wrong codes", isOfClient ? "client" : "number")
            let block = WrongCodeBlock(
                isOfClient: isOfClient,
                wrongCodes: Int(try reply.integer(at: 2)),
                retryAfter: .milliseconds(try reply.integer(at: 3))
            )
            return .tooManyWrongCodes(block, phone)
        default: throw .unexpectedReply
        }
    }
}

/// The settings that all answers to sessions share.
struct AnswerRules: ScriptRules {
    let wrongCodes: WrongCodeLimits
    let tombstoneLife: Duration
    /// Whether gateways are compared by their verified shares.
    let explores: Bool

    /// Lua that declares the rules for `answer-verification.lua`. Values that only Redis reads are strings. All are
    /// single values, because Lua would create a table in every call.
    var constants: String {
        """
        local maximum,reserved=\(wrongCodes.maximum),\(wrongCodes.reservedForKnownClients) \
        local freeWrongCodes,longestWait=\(wrongCodes.perClientBeforeWait),\(wrongCodes.longestWait.milliseconds) \
        local halfLife,maximumKnownClients=\(wrongCodes.halfLife.milliseconds),\(KnownClients.maximum) \
        local knownClientLife='\(KnownClients.memory.milliseconds)' \
        local tombstoneLife='\(tombstoneLife.milliseconds)' \
        local rangeHalfLife=\(TollFraudPolicy.halfLife.milliseconds) \
        local ledgerLife='\(TollFraudPolicy.ledgerLife.milliseconds)' \
        local newClientsPerDay,day=\(wrongCodes.newClientsPerDay),'\(RateLimit.Window.day(1).milliseconds)' \
        local explores=\(explores)

        """
    }
}
