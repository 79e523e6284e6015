internal import Redis

/// What the script `sign-in-with-phone-number.lua` needs.
public struct SessionAnswer: Sendable {
    /// How the script judged.
    public enum Outcome: Sendable {
        /// Right; the session is used up, the number belongs to `uid`.
        case right(uid: String)
        case wrong(attemptsLeft: Int)
        /// All attempts were spent before.
        case exhausted
        /// It was answered rightly before.
        case used
        /// Its time is up, so long ago perhaps that nothing is left of it.
        case expired
    }

    let id: SessionID
    let phone: PhoneIdentity
    let isRight: Bool
    let requestID: String
    let proposedUID: String
    let now: Int64
    let tombstoneMilliseconds: Int64

    /// Everything is needed; times are in milliseconds, `now` since the Unix epoch.
    public init(
        id: SessionID,
        phone: PhoneIdentity,
        isRight: Bool,
        requestID: String,
        proposedUID: String,
        now: Int64,
        tombstoneMilliseconds: Int64
    ) {
        self.id = id
        self.phone = phone
        self.isRight = isRight
        self.requestID = requestID
        self.proposedUID = proposedUID
        self.now = now
        self.tombstoneMilliseconds = tombstoneMilliseconds
    }
}

extension Store {
    /// Judges an answer, counts it, and uses the session up when it is right, in one atomic step.
    /// - Throws: ``StoreUnavailable``; whether the step was taken is then unknown. Repeated with the same request id it is
    ///   not counted twice.
    public func answerSession(_ answer: SessionAnswer) throws(StoreUnavailable) -> SessionAnswer.Outcome {
        let reply = try run(
            Scripts.signInWithPhoneNumber,
            keys: [
                KeyNames.session(answer.id),
                KeyNames.phone(answer.phone),
                KeyNames.lock(answer.phone, binding: ""),
                KeyNames.open(answer.phone, binding: ""),
            ],
            [
                .integer(answer.now), .text(answer.requestID), .text(answer.isRight ? "right" : "wrong"),
                .integer(answer.tombstoneMilliseconds), .text(answer.id.text), .text(answer.proposedUID),
            ]
        )
        switch try reply.outcome() {
        case "right": return .right(uid: try reply.text(at: 1))
        case "wrong": return .wrong(attemptsLeft: Int(try reply.integer(at: 1)))
        case "exhausted": return .exhausted
        case "used": return .used
        case "expired": return .expired
        default: throw .unexpectedReply
        }
    }
}
