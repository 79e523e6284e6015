internal import Redis

/// The input of the script `answer-session.lua`.
public struct SessionAnswer: Sendable {
    /// The result of the verification.
    public enum Outcome: Sendable {
        /// The code is correct and the session is used up. `IdentifierClaim` is the number's claim, if it has any.
        case right(IdentifierClaim?)
        /// The code is correct, but the number does not have the required claim. Nothing was changed; the code stays
        /// valid.
        case noRoom
        case wrong(attemptsLeft: Int)
        /// All attempts had been spent before.
        case exhausted
        /// The session was already used by a correct code.
        case used
        /// The session has expired, perhaps so long ago that Redis no longer has it.
        case expired
        /// Rejected without verification: too many wrong codes for the number, or from this client, since the last
        /// correct one.
        case blocked(WrongCodeBlock)
    }

    /// The effect of a correct code on the number's claim.
    public enum ClaimUse: Sendable {
        /// Returns the claim, if the number has one.
        case standing
        /// Gives this claim to a number that has none.
        case proposed(IdentifierClaim)
        /// Uses up the code only if the number has this claim; nil if no account holds the number. There is no room for
        /// another account.
        case required(IdentifierClaim?)
    }

    let id: SessionID
    let phone: PhoneIdentity
    let isRight: Bool
    let requestID: String
    let isOfAccount: Bool
    let claimUse: ClaimUse
    let now: Int64
    let tombstoneMilliseconds: Int64
    let isTestNumber: Bool
    let wrongCodes: WrongCodeLimits
    let ranges: NumberRanges
    let rangeHalfLifeMilliseconds: Int64
    let ledgerMilliseconds: Int64

    /// Collects the arguments. Times are in milliseconds; `now` is since the Unix epoch.
    /// `isOfAccount` is true if the request carries an ID token of the account that holds the number.
    public init(
        id: SessionID,
        phone: PhoneIdentity,
        isRight: Bool,
        requestID: String,
        isOfAccount: Bool,
        claimUse: ClaimUse,
        now: Int64,
        tombstoneMilliseconds: Int64,
        isTestNumber: Bool,
        wrongCodes: WrongCodeLimits,
        ranges: NumberRanges,
        rangeHalfLifeMilliseconds: Int64,
        ledgerMilliseconds: Int64
    ) {
        self.id = id
        self.phone = phone
        self.isRight = isRight
        self.requestID = requestID
        self.isOfAccount = isOfAccount
        self.claimUse = claimUse
        self.now = now
        self.tombstoneMilliseconds = tombstoneMilliseconds
        self.isTestNumber = isTestNumber
        self.wrongCodes = wrongCodes
        self.ranges = ranges
        self.rangeHalfLifeMilliseconds = rangeHalfLifeMilliseconds
        self.ledgerMilliseconds = ledgerMilliseconds
    }
}

extension SessionAnswer.ClaimUse {
    fileprivate var claim: IdentifierClaim? {
        switch self {
        case .standing: nil
        case .proposed(let claim): claim
        case .required(let claim): claim
        }
    }

    fileprivate var isRequirement: Bool {
        if case .required = self { true } else { false }
    }
}

extension Store {
    /// Verifies an answer, counts it, and uses up the session if the code is correct, in one atomic step.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown. A retry with the same request id
    ///   is not counted twice.
    public func answerSession(_ answer: SessionAnswer) throws(StoreUnavailable) -> SessionAnswer.Outcome {
        let reply = try run(
            Scripts.answerSession,
            isConfirmed: true,
            keys: [
                KeyNames.session(answer.id),
                KeyNames.identifier(answer.phone),
                KeyNames.lock(answer.phone, binding: ""),
                KeyNames.open(answer.phone, binding: ""),
                KeyNames.wrongCodes(answer.phone, isTestNumber: answer.isTestNumber),
                KeyNames.knownClients(answer.phone, isTestNumber: answer.isTestNumber),
            ] + answer.ranges.keys + [
                KeyNames.ledger(answer.phone.project, day: answer.now / Self.dayMilliseconds)
            ],
            [
                .integer(answer.now), .text(answer.requestID), .text(answer.isRight ? "right" : "wrong"),
                .integer(answer.tombstoneMilliseconds), .text(answer.id.text), .text(answer.claimUse.claim?.text ?? ""),
                .integer(Int64(answer.wrongCodes.maximum)), .integer(Int64(answer.wrongCodes.perClientBeforeWait)),
                .integer(answer.wrongCodes.longestWaitMilliseconds), .integer(answer.wrongCodes.halfLifeMilliseconds),
                .integer(Int64(answer.wrongCodes.reservedForKnownClients)),
                .integer(Int64(answer.wrongCodes.knownClients)),
                .integer(answer.wrongCodes.knownClientMilliseconds), .integer(answer.rangeHalfLifeMilliseconds),
                .text(answer.ranges.region), .text(answer.ranges.series), .integer(answer.ledgerMilliseconds),
                .text(answer.isOfAccount ? "1" : ""), .text(answer.claimUse.isRequirement ? "1" : ""),
            ]
        )
        switch try reply.outcome() {
        case "right": return .right(try IdentifierClaim.standing(try reply.text(at: 1)))
        case "no-room": return .noRoom
        case "wrong": return .wrong(attemptsLeft: Int(try reply.integer(at: 1)))
        case "exhausted": return .exhausted
        case "used": return .used
        case "expired": return .expired
        case "blocked":
            return .blocked(
                WrongCodeBlock(
                    isOfClient: try reply.text(at: 1) == "client",
                    wrongCodes: Int(try reply.integer(at: 2)),
                    retryAfterMilliseconds: try reply.integer(at: 3)
                )
            )
        default: throw .unexpectedReply
        }
    }
}
