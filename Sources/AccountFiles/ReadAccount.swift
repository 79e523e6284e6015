public import Encodings
public import Passwords
public import PhoneAuth

/// An account read from a file or from a request to import accounts.
public struct ReadAccount: Sendable, Confidential {
    /// The `localId`.
    public let uid: String
    /// The account's data.
    public let change: AccountChange
    /// Whether the account also has identities at other providers, such as Google. They are lost, because Dialtone does
    /// not support them.
    public let hasOtherProviders: Bool
    /// Whether the account has a password, but not its hash: `batchGet` omits or replaces hashes that its caller may
    /// not read.
    public let lacksPassword: Bool
    /// The names of the fields that were not read, because Dialtone does not know them.
    public let skippedFields: Set<String>

    /// Parses an account's text.
    /// - Throws: ``RecordFault``.
    public init(_ record: FileRecord, _ origin: PasswordOrigin) throws(RecordFault) {
        guard let content = record.content else { throw .tooLong }
        guard let object = JSONObject(parsing: content) else { throw .malformed }
        try self.init(object, origin)
    }

    /// Reads an account's members.
    /// - Throws: ``RecordFault``.
    public init(_ object: JSONObject, _ origin: PasswordOrigin) throws(RecordFault) {
        let fields = try RecordFields<AccountField>(object)
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
        // A `double` in the protocol.
        change.passwordUpdatedAt = try fields.instant(.passwordUpdatedAt, isFractional: true)
        change.password = try Self.password(fields, origin)
        var skippedFields = fields.unknownNames
        // Second factors in the wrong field must not be ignored: the account would be less secure than requested.
        let misplaced = try fields.object(.mfa)?.members ?? []
        guard misplaced.allSatisfy({ [.null, .array([])].contains($0.value) }) else { throw .secondFactorsMisplaced }
        let factors = try fields.list(.mfaInfo)
        if !factors.isEmpty {
            change.secondFactors = try factors.map { value throws(RecordFault) in
                try AssignedSecondFactor(value, skipping: &skippedFields)
            }
        }
        self.uid = uid
        self.change = change
        self.skippedFields = skippedFields
        let providers = try fields.list(.providerUserInfo).map { $0.object?["providerId"]?.text }
        hasOtherProviders = providers.contains { $0 != "phone" && $0 != "password" }
        if case .unchanged = change.password {
            lacksPassword = change.passwordUpdatedAt != nil || providers.contains("password")
        } else {
            lacksPassword = false
        }
    }

    /// What Firebase's `batchGet` returns instead of a hash that the caller may not read: `REDACTED` in Base64.
    private static let redactedHash = "UkVEQUNURUQ="

    private static func password(
        _ fields: RecordFields<AccountField>,
        _ origin: PasswordOrigin
    ) throws(RecordFault) -> AccountChange.PasswordChange {
        guard let text = try fields.text(.passwordHash), text != redactedHash else {
            return try fields.text(.rawPassword).map { .set($0) } ?? .unchanged
        }
        // Neither `$` nor `:` is a Base64 character.
        if text.hasPrefix("$") {
            guard let password = StoredPassword(text) else { throw .passwordHashInvalid }
            return .imported(password)
        }
        if text.hasPrefix("fakeHash:") {
            guard origin.allowsEmulatorPasswords else { throw .emulatorPassword }
            let beginning = "fakeHash:salt=\(try fields.text(.salt) ?? ""):password="
            guard text.hasPrefix(beginning) else { throw .emulatorPasswordInvalid }
            return .set(String(text.dropFirst(beginning.count)))
        }
        return .imported(try origin.password(hash: try fields.base64(.passwordHash), salt: try fields.base64(.salt)))
    }
}

extension AssignedSecondFactor {
    /// Reads a second factor, and adds the names of unknown fields to `skipped`. A missing id is empty.
    init(_ value: JSONValue, skipping skipped: inout Set<String>) throws(RecordFault) {
        guard let object = value.object else { throw .fieldInvalid(AccountField.mfaInfo.rawValue) }
        let fields = try RecordFields<SecondFactorField>(object)
        skipped.formUnion(fields.unknownNames.map { "\(AccountField.mfaInfo.rawValue).\($0)" })
        let unobfuscated = try fields.text(.unobfuscatedPhoneInfo)
        let number = try fields.text(.phoneInfo) ?? unobfuscated
        let app = try fields.object(.totpInfo).map { object throws(RecordFault) in try RecordFields<TOTPField>(object) }
        guard let content = Content(phoneNumber: number, isApp: app != nil, secret: try app?.text(.sharedSecretKey))
        else {
            throw .fieldInvalid(AccountField.mfaInfo.rawValue)
        }
        var enrolledAt: Instant?
        if let text = try fields.text(.enrolledAt) {
            enrolledAt = Instant(rfc3339: text)
            guard enrolledAt != nil else { throw .fieldInvalid(SecondFactorField.enrolledAt.rawValue) }
        }
        self.init(
            .named(try fields.text(.mfaEnrollmentId) ?? ""),
            content,
            displayName: try fields.text(.displayName),
            enrolledAt: enrolledAt
        )
    }
}

/// The origin of a list's password hashes, which do not name their algorithm; the same for all of them.
public struct PasswordOrigin: Sendable {
    private let scheme: ForeignHashScheme?
    private let hashByteCount: Int?
    /// Whether passwords of Firebase's emulator are imported. It stores them in plain text.
    let allowsEmulatorPasswords: Bool

    /// Creates an origin from the algorithm, with its parameters, if it is known, and from the required hash length in
    /// bytes; nil if the algorithm itself determines the length.
    public init(_ scheme: ForeignHashScheme?, hashByteCount: Int? = nil, allowsEmulatorPasswords: Bool = false) {
        self.scheme = scheme
        self.hashByteCount = hashByteCount
        self.allowsEmulatorPasswords = allowsEmulatorPasswords
    }

    func password(hash: [UInt8], salt: [UInt8]) throws(RecordFault) -> StoredPassword {
        guard let scheme else { throw .hashAlgorithmMissing }
        guard hashByteCount.map({ $0 == hash.count }) ?? true, let password = scheme.password(hash: hash, salt: salt)
        else { throw .passwordHashInvalid }
        return password
    }
}
