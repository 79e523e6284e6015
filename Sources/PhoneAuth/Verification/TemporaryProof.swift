public import Encodings

/// A proof for a user who verified a number that belongs to another account: it signs in to that account without
/// another code. Single use.
///
/// The text is base64url of: format (1 byte) ‖ id (16) ‖ expiry (8, seconds) ‖ code source (1) ‖ sealed
/// number. The seal also authenticates everything before it and the project. The store only records that a proof was
/// used.
public struct TemporaryProof: Sendable, Confidential {
    /// The lifetime of a temporary proof.
    public static let lifetime: Duration = .seconds(3600)

    private static let format: UInt8 = 1

    let id: TemporaryProofID
    /// The number in E.164 form.
    let phoneNumber: String
    /// The expiry, in seconds since the Unix epoch.
    let expiresAt: Int64
    /// The source of the code that verified the number.
    let codeSource: CodeSource

    init(id: TemporaryProofID, phoneNumber: String, expiresAt: Int64, codeSource: CodeSource) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.expiresAt = expiresAt
        self.codeSource = codeSource
    }

    /// Opens a proof; nil unless this deployment issued it for `project`. The proof may have expired.
    init?(_ text: String, in project: Project, _ keys: ServerKeys) {
        guard var token = TokenReader(text, format: Self.format), let id: TemporaryProofID = token.id(in: project.id),
            let expiresAt = token.number(Int64.self), let source = token.number(UInt8.self),
            let codeSource = CodeSource.allCases.first(where: { $0.wireByte == source }),
            let number = keys.data.open(token.rest, context: Self.context(token.header, project))
        else { return nil }
        self.init(
            id: id,
            phoneNumber: String(decoding: number, as: UTF8.self),
            expiresAt: expiresAt,
            codeSource: codeSource
        )
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        var token = TokenWriter(format: Self.format)
        token.append(id)
        token.append(expiresAt)
        token.append(codeSource.wireByte)
        try token.seal(Array(phoneNumber.utf8), context: { Self.context($0, project) }, keys, environment)
        return token.text
    }

    private static func context(_ header: [UInt8], _ project: Project) -> SealingContext {
        SealingContext("temporary-proof", after: header, of: project.id)
    }
}
