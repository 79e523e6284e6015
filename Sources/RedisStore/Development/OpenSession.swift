/// An open session as development tools see it. Times are milliseconds since the Unix epoch.
public struct OpenSession: Sendable {
    /// Its name.
    public let id: SessionID
    /// Its number, sealed.
    public let sealedNumber: [UInt8]
    /// What it is for.
    public let purpose: String
    /// Where its code comes from.
    public let codeSource: String
    /// When it was opened.
    public let createdAt: Int64
    /// When its time is up.
    public let expiresAt: Int64

    init?(id: SessionID, fields: HashFields) {
        guard let sealedNumber = fields["phone"], let purpose = fields.text("purpose"),
            let codeSource = fields.text("code-source"), let createdAt = fields.integer("created"),
            let expiresAt = fields.integer("expires")
        else { return nil }
        self.id = id
        self.sealedNumber = sealedNumber
        self.purpose = purpose
        self.codeSource = codeSource
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
