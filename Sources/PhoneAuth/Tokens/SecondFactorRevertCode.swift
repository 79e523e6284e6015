internal import Encodings

/// A code with which users revert the enrollment of a second factor: the protocol's `oobCode` of
/// `REVERT_SECOND_FACTOR_ADDITION`.
///
/// Its text is a ``SealedObject``, valid for ``SecondFactorRevertCode/lifetime``. It is used up once the account no
/// longer has the factor.
struct SecondFactorRevertCode: Sendable, Confidential {
    /// The time in which users may revert the addition of a second factor: they may have to find the operator's message
    /// first.
    static let lifetime: Duration = .seconds(7 * 86_400)

    private static let use = "second-factor-revert"

    let uid: String
    let factorID: String
    let expiresAt: Instant

    init(reverting factorID: String, of uid: String, at now: Instant) {
        self.uid = uid
        self.factorID = factorID
        expiresAt = now + SecondFactorRevertCode.lifetime
    }

    /// Opens a code; nil unless this deployment made it for `project`. It may have expired.
    init?(_ text: String, in project: Project, _ keys: ServerKeys) {
        guard let object = SealedObject.open(text, for: Self.use, in: project, keys),
            let uid = object["uid"]?.text, let factorID = object["factor"]?.text,
            let expires = object["expires"]?.integer
        else { return nil }
        self.uid = uid
        self.factorID = factorID
        expiresAt = Instant(milliseconds: expires)
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        try SealedObject.text(for: Self.use, in: project, keys, environment) { json in
            json.member("uid", uid)
            json.member("factor", factorID)
            json.member("expires", expiresAt.milliseconds)
        }
    }
}
