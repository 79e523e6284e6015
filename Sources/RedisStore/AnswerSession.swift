internal import Redis

/// What the script `answer-session.lua` needs.
public struct SessionAnswer: Sendable {
    /// How the script judged.
    public enum Outcome: Sendable {
        /// Right; the session is used up. `IdentifierClaim` stands with the number, if anything does.
        case right(IdentifierClaim?)
        /// Right, but the number has not the required claim. Nothing was changed, and the code stays good.
        case noRoom
        case wrong(attemptsLeft: Int)
        /// All attempts were spent before.
        case exhausted
        /// It was answered rightly before.
        case used
        /// Its time is up, so long ago perhaps that nothing is left of it.
        case expired
        /// Not judged: there were too many wrong codes for the number, or by this client, since the last right one.
        case blocked(WrongCodeBlock)
    }

    /// What a correct code does with the number's claim.
    public enum ClaimUse: Sendable {
        /// It is returned, if there is one.
        case standing
        /// A number without one gets this one.
        case proposed(IdentifierClaim)
        /// Only if this one stands is the code used up; nil if no account holds the number. There is no room for
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

    /// Times are in milliseconds, `now` since the Unix epoch.
    /// The request carries an ID token of the account that holds the number, if it `isOfAccount`.
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
    /// Judges an answer, counts it, and uses the session up when it is right, in one atomic step.
    /// - Throws: ``StoreUnavailable``; whether the step was taken is then unknown. Repeated with the same request id it is
    ///   not counted twice.
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
