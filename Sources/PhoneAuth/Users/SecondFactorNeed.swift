internal import Encodings
internal import RedisScripts

/// What a sign-in, or new tokens of a session, require of the account's second factors; `second-factors.lua` checks it.
public enum SecondFactorNeed: Sendable {
    /// Nothing is required.
    case nothing
    /// If the account has second factors, the user must be asked for one.
    case asking
    /// This factor must have been proven.
    case proof(SecondFactorProof)
    /// The account must have room for this factor.
    case room(for: SecondFactorRecord, atMost: Int)
    /// The account must have this factor, which the user removes.
    case presence(of: String)
    /// The account must have at least one factor, because the user sets recovery codes.
    case presenceOfAny

    /// The need as the scripts' argument.
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

/// The proof that a user presents after the first factor.
public struct SecondFactorProof: Sendable {
    /// The kind of proof.
    public enum Evidence: Sendable {
        /// A correct code was entered in a session for this number and factor: of a message, or a test number's.
        case phone(id: String, PhoneIdentity, isTestCode: Bool)
        /// A TOTP code of this step; nil if the code matches no step.
        case totp(id: String, step: Int64?)
        /// A recovery code, by its hashes under each index key that may have been used.
        case recoveryCode(hashes: [String])
    }

    fileprivate let json: [UInt8]

    /// Creates a proof. The account must still have the `revocation` counter, the `validSince` (seconds since the Unix
    /// epoch) and the password time (milliseconds) that it had when the first factor was proven. Wrong TOTP and
    /// recovery codes count against the account, within `limits`.
    public init(
        _ evidence: Evidence,
        revocation: Int64?,
        validSince: Int64?,
        passwordUpdatedAt: Int64?,
        limits: WrongSecondFactorLimits,
        requestID: String
    ) {
        let (method, id, number, answer) =
            switch evidence {
            case .phone(let id, let number, _): ("phone", id, number.hash, "")
            case .totp(let id, let step): ("totp", id, "", step.map { String($0) } ?? "")
            case .recoveryCode(let hashes): ("recovery-code", "", "", hashes.joined(separator: " "))
            }
        json = JSONWriter.object { json in
            json.member("act", "prove")
            json.member("method", method)
            json.member("id", id)
            json.member("number", number)
            json.member("answer", answer)
            if case .phone(_, _, isTestCode: true) = evidence { json.member("test", "1") }
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

/// Why a second-factor need is not met.
public enum SecondFactorFault: Sendable, Hashable {
    /// The password has changed or tokens were revoked since the first factor was proven.
    case firstFactorEnded
    case factorUnknown
    case codeWrong
    /// There were too many wrong codes; this one was rejected without verification.
    case blocked(wrongCodes: Int, retryAfterMilliseconds: Int64)
    /// The factor was already enrolled.
    case used
    /// The account has another factor with the same number.
    case alreadyEnrolled
    /// The account has the maximum number of factors.
    case full

    /// The words of `checkSecondFactor` in `second-factors.lua`.
    enum Word: String, CaseIterable {
        case ended, wrong, blocked, used, enrolled, full
        case unknownFactor = "unknown-factor"
    }

    init(_ reply: ScriptReply) throws(StoreUnavailable) {
        guard let word = Word(rawValue: try reply.outcome()) else { throw .unexpectedReply }
        switch word {
        case .ended: self = .firstFactorEnded
        case .unknownFactor: self = .factorUnknown
        case .wrong: self = .codeWrong
        case .blocked:
            self = .blocked(
                wrongCodes: Int(try reply.integer(at: 1)),
                retryAfterMilliseconds: try reply.integer(at: 2)
            )
        case .used: self = .used
        case .enrolled: self = .alreadyEnrolled
        case .full: self = .full
        }
    }
}
