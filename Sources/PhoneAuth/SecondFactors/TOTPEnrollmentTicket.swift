internal import Encodings
internal import RedisStore

/// The content of the `sessionInfo` of an authenticator app's enrolment.
///
/// The text is base64url of: format (1 byte) ‖ id (16) ‖ expiry (8, milliseconds) ‖ sealed secret. The AEAD tag also
/// authenticates the preceding bytes and the account. Stateless: the server stores nothing. The factor's id is derived
/// from the ticket's id, so a ticket enrols at most one factor at a time.
struct TOTPEnrollmentTicket: Sendable, Confidential {
    private static let format: UInt8 = 1
    static let idByteCount = 16
    private static let headerByteCount = 1 + idByteCount + 8

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
        guard text.utf8.count <= 256, let bytes = Base64URL.decode(text.utf8), bytes.count > Self.headerByteCount,
            bytes[0] == Self.format
        else { return nil }
        let header = Array(bytes[..<Self.headerByteCount])
        guard
            let secret = keys.data.open(bytes[Self.headerByteCount...], context: Self.context(header, account))
                .flatMap(TOTPSecret.init)
        else { return nil }
        let milliseconds = header[(1 + Self.idByteCount)...].reduce(0 as Int64) { $0 << 8 | Int64($1) }
        self.init(
            id: Array(header[1..<1 + Self.idByteCount]),
            secret: secret,
            expiresAt: Instant(milliseconds: milliseconds)
        )
    }

    func text(
        for account: AccountIdentity,
        _ keys: ServerKeys,
        _ environment: Environment
    ) throws(CryptographyFailure) -> String {
        let header = [Self.format] + id + withUnsafeBytes(of: expiresAt.milliseconds.bigEndian) { Array($0) }
        let sealed = try keys.data.seal(
            secret.bytes,
            context: Self.context(header, account),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
        return Base64URL.string(header + sealed)
    }

    private static func context(_ header: [UInt8], _ account: AccountIdentity) -> [UInt8] {
        Array("totp-enrollment/".utf8) + header + Array("\(account.project)/\(account.uid)".utf8)
    }
}
