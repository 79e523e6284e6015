internal import Encodings

/// By what users undo that a second factor was added to their account: the protocol's `oobCode` of `REVERT_SECOND_FACTOR_ADDITION`.
///
/// The text is base64url of: format (1 byte) ‖ sealed JSON. Nothing of it is kept: it opens for this project and for nothing else, for
/// ``Policy/secondFactorRevertLifetime``, and it is used up when the account has the factor no more.
struct SecondFactorRevertCode: Sendable, Confidential {
    private static let format: UInt8 = 1
    private static let maximumByteCount = 2048

    let uid: String
    let factorID: String
    let expiresAt: Instant

    init(reverting factorID: String, of uid: String, at now: Instant) {
        self.uid = uid
        self.factorID = factorID
        expiresAt = now + Policy.secondFactorRevertLifetime
    }

    /// Opens a code; nil unless this deployment made it for `project`. Its time may be up.
    init?(_ text: String, in project: Project, _ keys: ServerKeys) {
        guard text.utf8.count <= Self.maximumByteCount, let bytes = Base64URL.decode(text.utf8),
            bytes.first == Self.format,
            let opened = keys.data.open(bytes.dropFirst(), context: Self.context(project)),
            case .object(let object) = try? JSONValue.parse(opened),
            case .string(let uid) = object["uid"], case .string(let factorID) = object["factor"],
            case .number(let expires) = object["expires"], let expires = Int64(expires)
        else { return nil }
        self.uid = uid
        self.factorID = factorID
        expiresAt = Instant(milliseconds: expires)
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        let plaintext = JSONWriter.object { json in
            json.member("uid", uid)
            json.member("factor", factorID)
            json.member("expires", expiresAt.milliseconds)
        }
        let sealed = try keys.data.seal(
            plaintext,
            context: Self.context(project),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
        return Base64URL.string([Self.format] + sealed)
    }

    private static func context(_ project: Project) -> [UInt8] { Array("second-factor-revert/\(project.id)".utf8) }
}
