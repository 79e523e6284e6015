public import Encodings
/// A proof of a phone number, and its purpose.
public struct SignInWithPhoneNumberRequest: Sendable, Confidential {
    /// The proof of the phone number.
    public enum Evidence: Sendable {
        /// The response to a verification session: the session info from ``OperationContext/sendVerificationCode(_:)``
        /// and the code that the user entered.
        case code(sessionInfo: String, code: String)
        /// The temporary proof that an earlier request received because the number belonged to another account.
        case temporaryProof(String, phoneNumber: String)
    }

    /// The purpose of the proof.
    public enum Operation: Sendable {
        /// Signs in, creating an account if the number has none; or, with an ID token, links the number to the token's
        /// account.
        case signUpOrIn
        /// Reauthenticates the user of an existing account.
        case reauthenticate
    }

    /// The proof of the phone number.
    public var evidence: Evidence
    /// The ID token of the account that the number is linked to.
    public var idToken: String?
    /// The purpose of the proof.
    public var operation: Operation
    /// The client that sends the request; only blocking hooks receive it.
    public var client = ClientDescription()

    /// Creates a request with the code of a verification session.
    public init(sessionInfo: String, code: String) {
        self.init(.code(sessionInfo: sessionInfo, code: code))
    }

    /// Creates a request with any evidence.
    public init(
        _ evidence: Evidence,
        idToken: String? = nil,
        operation: Operation = .signUpOrIn
    ) {
        self.evidence = evidence
        self.idToken = idToken
        self.operation = operation
    }
}
