internal import Encodings

/// What a sign-in, or a new token of a session, needs of its account's second factors; `second-factors.lua` judges it.
public enum SecondFactorNeed: Sendable {
    /// They do not matter.
    case nothing
    /// Where there are some, one is to be asked for.
    case asking
    /// This one must have been proven.
    case proof(SecondFactorProof)
    /// The account must be able to get this one.
    case room(for: SecondFactorRecord, atMost: Int)
    /// The account must have this one, which its user gives up.
    case presence(of: String)
    /// The account must have at least one, whose user sets recovery codes.
    case presenceOfAny

    /// How the script gets it.
    var argument: [UInt8] {
        switch self {
        case .nothing: []
        case .asking: Array("ask".utf8)
        case .proof(let proof): proof.json
        case .room(let factor, let maximum):
            Self.json("enroll") { json in
                json.member("id", factor.id)
                json.member("number", factor.numberHash ?? "")
                json.member("maximum", String(maximum))
            }
        case .presence(let id): Self.json("withdraw") { $0.member("id", id) }
        case .presenceOfAny: Self.json("recover") { _ in }
        }
    }

    private static func json(_ act: String, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { json in
            json.member("act", act)
            write(&json)
        }
    }
}

/// What a user brings after the first factor.
public struct SecondFactorProof: Sendable {
    /// What it is.
    public enum Evidence: Sendable {
        /// A session for this number and factor was answered rightly.
        case phone(id: String, PhoneIdentity)
        /// A TOTP code of this step; nil where it is the code of none.
        case totp(id: String, step: Int64?)
        /// A recovery code, by its hashes under each index key that it may have been made under.
        case recoveryCode(hashes: [String])
    }

    let evidence: Evidence
    let revocation: Int64?
    let validSince: Int64?
    let passwordUpdatedAt: Int64?
    let limits: WrongSecondFactorLimits
    let requestID: String

    /// The account must still have the `revocation` counter, the `validSince` (seconds since the Unix epoch) and the
    /// password's time (milliseconds) that it had when the first factor was proven. Wrong TOTP and recovery codes count
    /// for the account, as `limits` has it.
    public init(
        _ evidence: Evidence,
        revocation: Int64?,
        validSince: Int64?,
        passwordUpdatedAt: Int64?,
        limits: WrongSecondFactorLimits,
        requestID: String
    ) {
        self.evidence = evidence
        self.revocation = revocation
        self.validSince = validSince
        self.passwordUpdatedAt = passwordUpdatedAt
        self.limits = limits
        self.requestID = requestID
    }

    fileprivate var json: [UInt8] {
        let (method, id, number, answer) =
            switch evidence {
            case .phone(let id, let number): ("phone", id, number.hash, "")
            case .totp(let id, let step): ("totp", id, "", step.map { String($0) } ?? "")
            case .recoveryCode(let hashes): ("recovery-code", "", "", hashes.joined(separator: " "))
            }
        return JSONWriter.object { json in
            json.member("act", "prove")
            json.member("method", method)
            json.member("id", id)
            json.member("number", number)
            json.member("answer", answer)
            json.member("revocation", revocation.map { String($0) } ?? "")
            json.member("validSince", validSince.map { String($0) } ?? "")
            json.member("passwordUpdated", passwordUpdatedAt.map { String($0) } ?? "")
            json.member("maximum", String(limits.maximum))
            json.member("beforeWait", String(limits.beforeWait))
            json.member("longestWait", String(limits.longestWaitMilliseconds))
            json.member("memory", String(limits.memoryMilliseconds))
            json.member("request", requestID)
        }
    }
}

/// Why what was needed of second factors was not there.
public enum SecondFactorFault: Sendable, Hashable {
    /// The password changed since the first factor was proven, or tokens were revoked.
    case firstFactorEnded
    case factorUnknown
    case codeWrong
    /// There were too many wrong codes; this one was not judged.
    case blocked(wrongCodes: Int, retryAfterMilliseconds: Int64)
    /// It was enrolled before.
    case used
    /// The account has another factor of the same number.
    case alreadyEnrolled
    /// The account has as many as it may.
    case full

    init(_ reply: ScriptReply) throws(StoreUnavailable) {
        switch try reply.outcome() {
        case "ended": self = .firstFactorEnded
        case "unknown-factor": self = .factorUnknown
        case "wrong": self = .codeWrong
        case "blocked":
            self = .blocked(
                wrongCodes: Int(try reply.integer(at: 1)),
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        case "used": self = .used
        case "enrolled": self = .alreadyEnrolled
        case "full": self = .full
        default: throw .unexpectedReply
        }
    }
}
