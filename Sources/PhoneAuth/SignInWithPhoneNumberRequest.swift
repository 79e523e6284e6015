public import Encodings
/// Proof of a number, and what it is for.
public struct SignInWithPhoneNumberRequest: Sendable, Confidential {
    /// What proves the number.
    public enum Evidence: Sendable {
        /// An answer to a verification session: what ``Authenticator/sendVerificationCode(_:in:)`` gave, and what the user typed.
        case code(sessionInfo: String, code: String)
        /// What an earlier request was given, because the number was another account's.
        case temporaryProof(String, phoneNumber: String)
    }

    /// What the proof is for.
    public enum Operation: Sendable {
        /// Signing in, with a new account where the number has none; or, with an ID token, giving its account the number.
        case signUpOrIn
        /// Proving again who has an account already.
        case reauthenticate
    }

    /// What proves the number.
    public var evidence: Evidence
    /// Proves the user to whose account the number is to belong.
    public var idToken: String?
    /// What the proof is for.
    public var operation: Operation
    /// Names this request, the same when a front end repeats it because a worker died over it.
    public var requestID: String
    /// Who sends it; only blocking hooks are told so.
    public var client = ClientDescription()

    /// An answer to a verification session.
    public init(sessionInfo: String, code: String, requestID: String) {
        self.init(.code(sessionInfo: sessionInfo, code: code), requestID: requestID)
    }

    /// A request with any evidence.
    public init(
        _ evidence: Evidence,
        idToken: String? = nil,
        operation: Operation = .signUpOrIn,
        requestID: String
    ) {
        self.evidence = evidence
        self.idToken = idToken
        self.operation = operation
        self.requestID = requestID
    }
}
