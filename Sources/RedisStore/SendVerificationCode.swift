internal import Redis

/// What the script `send-verification-code.lua` needs.
public struct SessionOpening: Sendable {
    /// No more than `maximum` messages to a number in any `windowMilliseconds`.
    public struct SendLimit: Sendable {
        let windowMilliseconds: Int64
        let maximum: Int

        /// A limit; `maximum` is at least 1.
        public init(windowMilliseconds: Int64, maximum: Int) {
            self.windowMilliseconds = windowMilliseconds
            self.maximum = maximum
        }
    }

    /// What the script did.
    public enum Outcome: Sendable {
        /// The session was made; its message is queued.
        case opened
        /// The client's earlier session lives; its message is queued again.
        case resent(SessionID, sealedNumber: [UInt8])
        /// The client's earlier session lives, and its lock too; no message.
        case reentered(SessionID, sealedNumber: [UInt8])
        /// Nothing was done.
        case limited(windowMilliseconds: Int64, retryAfterMilliseconds: Int64)
    }

    let id: SessionID
    let phone: PhoneIdentity
    let sealedNumber: [UInt8]
    let binding: String
    let purpose: String
    let codeSource: String
    let locale: String
    let now: Int64
    let lockMilliseconds: Int64
    let sessionMilliseconds: Int64
    let attempts: Int
    let leastLifeToResendMilliseconds: Int64
    let sendLimits: [SendLimit]

    /// Everything is needed; times are in milliseconds, `now` since the Unix epoch.
    public init(
        id: SessionID,
        phone: PhoneIdentity,
        sealedNumber: [UInt8],
        binding: String,
        purpose: String,
        codeSource: String,
        locale: String,
        now: Int64,
        lockMilliseconds: Int64,
        sessionMilliseconds: Int64,
        attempts: Int,
        leastLifeToResendMilliseconds: Int64,
        sendLimits: [SendLimit]
    ) {
        self.id = id
        self.phone = phone
        self.sealedNumber = sealedNumber
        self.binding = binding
        self.purpose = purpose
        self.codeSource = codeSource
        self.locale = locale
        self.now = now
        self.lockMilliseconds = lockMilliseconds
        self.sessionMilliseconds = sessionMilliseconds
        self.attempts = attempts
        self.leastLifeToResendMilliseconds = leastLifeToResendMilliseconds
        self.sendLimits = sendLimits
    }
}

extension Store {
    /// Opens a session with its lock, counters and message in one atomic step, or finds the one that is open already.
    /// - Throws: ``StoreUnavailable``; whether the step was taken is then unknown, and repeating it is harmless.
    public func openSession(_ opening: SessionOpening) throws(StoreUnavailable) -> SessionOpening.Outcome {
        var arguments: [Argument] = [
            .integer(opening.now), .text(opening.id.text),
            .integer(opening.lockMilliseconds), .integer(opening.sessionMilliseconds),
            .bytes(opening.sealedNumber), .text(opening.phone.project), .text(opening.purpose), .text(opening.locale),
            .text(opening.binding), .integer(Int64(opening.attempts)), .text(opening.codeSource),
            .integer(opening.leastLifeToResendMilliseconds),
        ]
        for limit in opening.sendLimits {
            arguments.append(.integer(limit.windowMilliseconds))
            arguments.append(.integer(Int64(limit.maximum)))
        }
        let reply = try run(
            Scripts.sendVerificationCode,
            keys: [
                KeyNames.lock(opening.phone, binding: opening.binding),
                KeyNames.open(opening.phone, binding: opening.binding),
                KeyNames.session(opening.id),
                KeyNames.outbox(.messages, opening.id.shard),
                KeyNames.sends(opening.phone),
            ],
            arguments
        )
        switch try reply.outcome() {
        case "opened":
            return .opened
        case "resent":
            return .resent(try sessionID(reply, opening.id.shard), sealedNumber: try reply.bytes(at: 2))
        case "reentered":
            return .reentered(try sessionID(reply, opening.id.shard), sealedNumber: try reply.bytes(at: 2))
        case "limited":
            return .limited(
                windowMilliseconds: try reply.integer(at: 1),
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        default:
            throw .unexpectedReply
        }
    }

    private func sessionID(_ reply: ScriptReply, _ shard: Shard) throws(StoreUnavailable) -> SessionID {
        guard let id = SessionID(shard: shard, text: try reply.bytes(at: 1)) else { throw .unexpectedReply }
        return id
    }
}
