internal import Encodings

/// The content of the `sessionInfo` of an authenticator app's enrollment.
///
/// The text is base64url of: format (1 byte) ‖ id (16) ‖ expiry (8, milliseconds) ‖ sealed secret. The AEAD tag also
/// authenticates the preceding bytes and the account. Stateless: the server stores nothing. The factor's id is derived
/// from the ticket's id, so a ticket enrolls at most one factor at a time.
struct TOTPEnrollmentTicket: Sendable, Confidential {
    private static let format: UInt8 = 1
    static let idByteCount = 16

    let id: [UInt8]
    let secret: TOTPSecret
    let expiresAt: Instant

    init(id: [UInt8], secret: TOTPSecret, expiresAt: Instant) {
        self.id = id
        self.secret = secret
        self.expiresAt = expiresAt
    }

    /// Opens a ticket; nil unless this deployment made it for the account. It may have expired.
    init?(_ text: String, for account: AccountIdentity, _ keys: ServerKeys) {
        guard var token = TokenReader(text, format: Self.format), let id = token.field(Self.idByteCount),
            let milliseconds = token.number(Int64.self),
            let secret = keys.data.open(token.rest, context: Self.context(token.header, account))
                .flatMap(TOTPSecret.init)
        else { return nil }
        self.init(id: id, secret: secret, expiresAt: Instant(milliseconds: milliseconds))
    }

    func text(
        for account: AccountIdentity,
        _ keys: ServerKeys,
        _ environment: Environment
    ) throws(CryptographyFailure) -> String {
        var token = TokenWriter(format: Self.format)
        token.append(id)
        token.append(expiresAt.milliseconds)
        try token.seal(secret.bytes, context: { Self.context($0, account) }, keys, environment)
        return token.text
    }

    private static func context(_ header: [UInt8], _ account: AccountIdentity) -> SealingContext {
        SealingContext("totp-enrollment", after: header, of: "\(account.project)/\(account.uid)")
    }
}
