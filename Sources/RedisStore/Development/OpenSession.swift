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

    init?(id: SessionID, fields: [String: [UInt8]]) {
        func text(_ name: String) -> String? { fields[name].map { String(decoding: $0, as: UTF8.self) } }
        guard let sealedNumber = fields["phone"], let purpose = text("purpose"), let codeSource = text("code-source"),
            let createdAt = text("created").flatMap({ Int64($0) }),
            let expiresAt = text("expires").flatMap({ Int64($0) })
        else { return nil }
        self.id = id
        self.sealedNumber = sealedNumber
        self.purpose = purpose
        self.codeSource = codeSource
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
