internal import Redis

/// The input of the script `send-verification-code.lua`.
public struct SessionOpening: Sendable {
    /// The result of the script.
    public enum Outcome: Sendable {
        /// The session was created and its message is queued.
        case opened
        /// The client's earlier session is open; its message is queued again.
        case resent(SessionID, sealedNumber: [UInt8])
        /// The client's earlier session is open and locked; no message is queued.
        case reentered(SessionID, sealedNumber: [UInt8])
        /// A rate limit was exceeded; nothing was changed.
        case limited(ExceededSendLimit)
        /// Sends to new clients are stepped up; nothing was changed.
        case steppedUp(StepUp)
    }

    let id: SessionID
    let phone: PhoneIdentity
    let sealedNumber: [UInt8]
    let binding: String
    let client: String
    let isOfAccount: Bool
    let purpose: String
    let codeSource: String
    let locale: String
    let ending: String
    let reference: DecisionReference
    let maskedNumber: String
    let region: String
    let proof: String
    let now: Int64
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let attempts: Int
    let leastLifeToResendMilliseconds: Int64
    /// Limits that share a counter are adjacent, the longest window last.
    let sendLimits: [SendLimit]
    let tollFraudCheck: TollFraudCheck

    /// Collects the arguments. The session is for this `binding`; wrong and correct codes count for the `client`,
    /// whatever their purpose. `isOfAccount` is true if the request carries an ID token of the account that holds the
    /// number. Times are in milliseconds; `now` is since the Unix epoch.
    public init(
        id: SessionID,
        phone: PhoneIdentity,
        sealedNumber: [UInt8],
        binding: String,
        client: String,
        isOfAccount: Bool,
        purpose: String,
        codeSource: String,
        locale: String,
        ending: String,
        reference: DecisionReference,
        maskedNumber: String,
        region: String,
        proof: String,
        now: Int64,
        lockMilliseconds: Int64,
        sessionMilliseconds: Int64,
        attempts: Int,
        leastLifeToResendMilliseconds: Int64,
        sendLimits: [SendLimit],
        tollFraudCheck: TollFraudCheck
    ) {
        self.id = id
        self.phone = phone
        self.sealedNumber = sealedNumber
        self.binding = binding
        self.client = client
        self.isOfAccount = isOfAccount
        self.purpose = purpose
        self.codeSource = codeSource
        self.locale = locale
        self.ending = ending
        self.reference = reference
        self.maskedNumber = maskedNumber
        self.region = region
        self.proof = proof
        self.now = now
        self.lockMilliseconds = lockMilliseconds
        self.sessionMilliseconds = sessionMilliseconds
        self.attempts = attempts
        self.leastLifeToResendMilliseconds = leastLifeToResendMilliseconds
        self.sendLimits = sendLimits.inOrderOfCounting()
        self.tollFraudCheck = tollFraudCheck
    }
}

extension Store {
    /// Opens a session with its lock, counters and message in one atomic step, or finds the one that is already open.
    /// - Throws: ``StoreUnavailable``; whether the step was executed is then unknown, and a retry is harmless.
    public func openSession(_ opening: SessionOpening) throws(StoreUnavailable) -> SessionOpening.Outcome {
        let (keys, limits) = opening.keysAndLimits(among: shards)
        let reply = try run(sendScript(opening.rules(limits)), keys: keys, opening.arguments)
        switch try reply.outcome() {
        case "opened":
            return .opened
        case "resent":
            return .resent(try sessionID(reply, opening.id.shard), sealedNumber: try reply.bytes(at: 2))
        case "reentered":
            return .reentered(try sessionID(reply, opening.id.shard), sealedNumber: try reply.bytes(at: 2))
        case "limited":
            return .limited(try exceededLimit(reply, opening.sendLimits))
        case "stepped-up":
            guard let stepUp = StepUp(Array(try reply.texts().dropFirst())) else { throw .unexpectedReply }
            return .steppedUp(stepUp)
        default:
            throw .unexpectedReply
        }
    }

    private func sessionID(_ reply: ScriptReply, _ shard: Shard) throws(StoreUnavailable) -> SessionID {
        guard let id = SessionID(shard: shard, text: try reply.bytes(at: 1)) else { throw .unexpectedReply }
        return id
    }

    private func exceededLimit(_ reply: ScriptReply, _ limits: [SendLimit]) throws(StoreUnavailable)
        -> ExceededSendLimit
    {
        let index = Int(try reply.integer(at: 1)) - 1
        guard limits.indices.contains(index) else { throw .unexpectedReply }
        return ExceededSendLimit(
            limit: limits[index],
            sends: Int(try reply.integer(at: 2)),
            reserved: Int(try reply.integer(at: 4)),
            retryAfterMilliseconds: try reply.integer(at: 3)
        )
    }
}
