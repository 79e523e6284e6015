/// An open verification session for development tools. Times are milliseconds since the Unix epoch.
public struct ListedVerification: Sendable {
    /// The session's id.
    public let id: VerificationID
    /// The session's number, sealed.
    public let sealedNumber: [UInt8]
    /// The session's purpose.
    public let purpose: String
    /// The source of the session's code.
    public let codeSource: String
    /// When the session was opened.
    public let createdAt: Int64
    /// When the session expires.
    public let expiresAt: Int64

    init(id: VerificationID, _ stored: StoredVerification) {
        self.id = id
        sealedNumber = stored.sealedNumber
        purpose = stored.purpose
        codeSource = stored.codeSource
        createdAt = stored.createdAt
        expiresAt = stored.expiresAt
    }
}
