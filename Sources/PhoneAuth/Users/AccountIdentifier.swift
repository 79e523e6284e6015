internal import Encodings
internal import Passwords
internal import RedisScripts

/// A phone number or e-mail address that identifies an account: as text and as the hash under which Redis stores it.
struct AccountIdentifier<Identity: IdentifierIdentity>: Sendable, Confidential {
    let text: String
    let identity: Identity
    /// Whether the identifier is a number that the fixed code of a test number proved.
    var isTestNumber = false
}

extension OperationContext {
    func identifier(_ email: EmailAddress) -> AccountIdentifier<EmailIdentity> {
        AccountIdentifier(
            text: email.text,
            identity: EmailIdentity(email, in: project, keys, among: store.shards)
        )
    }
}
