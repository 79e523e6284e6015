internal import Encodings
internal import Passwords
public import PhoneAuth

/// An account read from a file.
public struct ReadAccount: Sendable {
    /// The account.
    public let account: ImportedAccount
    /// Whether the account also has identities at other providers, such as Google. They are lost, because Dialtone does
    /// not support them.
    public let hasOtherProviders: Bool

    /// Parses an account's text. `origin` gives the password hash algorithm of a file in Firebase's format.
    /// - Throws: ``RecordFault``.
    public init(_ record: FileRecord, _ origin: PasswordOrigin?) throws(RecordFault) {
        let fields = try RecordFields<AccountField>(record)
        guard let uid = try fields.text(.localId) else { throw .uidMissing }
        var change = AccountChange()
        change.phoneNumber = try fields.text(.phoneNumber).map { .set($0) } ?? .unchanged
        change.email = try fields.text(.email).map { .set($0) } ?? .unchanged
        change.isEmailVerified = try fields.flag(.emailVerified)
        change.displayName = try fields.text(.displayName).map { .set($0) } ?? .unchanged
        change.photoURL = try fields.text(.photoUrl).map { .set($0) } ?? .unchanged
        change.isDisabled = try fields.flag(.disabled)
        if let text = try fields.text(.customAttributes) {
            do { change.customClaims = try CustomClaims(text) } catch { throw .customClaims(error) }
        }
        change.createdAt = try fields.instant(.createdAt)
        let lastSignedInAt = try fields.instant(.lastSignedInAt)
        change.lastLoginAt = try fields.instant(.lastLoginAt) ?? lastSignedInAt
        change.validSince = try fields.time(.validSince)
        change.passwordUpdatedAt = try fields.instant(.passwordUpdatedAt)
        let secondFactors = try fields.list(.mfaInfo)
        if !secondFactors.isEmpty {
            change.secondFactors = try secondFactors.map { value throws(RecordFault) in try AssignedSecondFactor(value)
            }
        }
        if let password = try Self.password(fields, origin) { change.password = .imported(password) }
        account = ImportedAccount(uid: uid, change, source: record.content ?? [])
        hasOtherProviders = try fields.list(.providerUserInfo).contains(where: Self.isOfOtherProvider)
    }

    private static func password(
        _ fields: RecordFields<AccountField>,
        _ origin: PasswordOrigin?
    ) throws(RecordFault) -> StoredPassword? {
        guard let text = try fields.text(.passwordHash) else { return nil }
        // `$` is not a Base64 character.
        if text.hasPrefix("$") {
            guard let password = StoredPassword(text) else { throw .passwordHashInvalid }
            return password
        }
        guard let origin else { throw .hashAlgorithmMissing }
        guard let password = origin.password(hash: try fields.base64(.passwordHash), salt: try fields.base64(.salt))
        else { throw .passwordHashInvalid }
        return password
    }

    private static func isOfOtherProvider(_ provider: JSONValue) -> Bool {
        guard case .object(let fields) = provider, case .string(let id) = fields["providerId"] else { return true }
        return id != "phone" && id != "password"
    }
}
