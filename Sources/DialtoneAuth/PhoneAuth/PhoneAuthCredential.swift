/// The credential of a phone number: a verification ID and a verification code.
public final class PhoneAuthCredential: AuthCredential, @unchecked Sendable {
    // Proof of `@unchecked Sendable`: see AuthCredential. This class adds no property.

    init(_ kind: Kind) { super.init(provider: PhoneAuthProvider.id, kind) }

    /// The verification ID and the code of this credential; nil if it contains a temporary proof instead.
    var answer: (verificationID: String, code: String)? {
        guard case .phoneCode(let verificationID, let code) = kind else { return nil }
        return (verificationID, code)
    }
}
