public import Encodings
public import PhoneAuth

/// The members of an account, or of an object in the account. Null and empty texts count as absent. Names may also be
/// in snake_case, and texts and flags may have the types that the protocol's JSON allows for them.
struct RecordFields<Field: RawRepresentable & Hashable> where Field.RawValue == String {
    private let fields: JSONFields<RecordFault>
    /// The names of other members. A name is replaced by `…` unless it consists of at most 40 ASCII letters and
    /// underscores: in a malformed file, any other name might be a phone number or an e-mail address.
    let unknownNames: Set<String>

    init(_ object: JSONObject) throws(RecordFault) {
        var values: [Field: JSONValue] = [:]
        var unknownNames: Set<String> = []
        for (name, value) in object.members {
            guard let field = Field(rawValue: name) ?? Field(rawValue: Self.camelCase(name)) else {
                let bytes = name.utf8
                let isPlain = bytes.count <= 40 && bytes.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
                unknownNames.insert(isPlain ? name : "…")
                continue
            }
            guard values.updateValue(value, forKey: field) == nil else { throw .fieldRepeated(field.rawValue) }
        }
        self.unknownNames = unknownNames
        fields = JSONFields(JSONObject(members: values.map { ($0.key.rawValue, $0.value) }), .protocolBuffer)
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    func text(_ field: Field) throws(RecordFault) -> String? { try fields.nonEmptyText(field.rawValue) }

    func flag(_ field: Field) throws(RecordFault) -> Bool? {
        try value(field) == nil ? nil : fields.flag(field.rawValue)
    }

    /// Returns a non-negative integer, from a number or a text. As milliseconds, it must be before the year 10000. A
    /// fraction is dropped if the protocol's type of the field has one, and otherwise refused.
    func time(_ field: Field, isFractional: Bool = false) throws(RecordFault) -> Int64? {
        guard let value = value(field) else { return nil }
        guard let time = value.wholeNumber ?? (isFractional ? value.roundedDown : nil),
            (0...RecordFault.latestTime).contains(time)
        else { throw .timeInvalid(field.rawValue) }
        return time
    }

    func instant(_ field: Field, isFractional: Bool = false) throws(RecordFault) -> Instant? {
        try time(field, isFractional: isFractional).map(Instant.init(milliseconds:))
    }

    /// Decodes Base64; returns no bytes if the field is absent.
    func base64(_ field: Field) throws(RecordFault) -> [UInt8] {
        guard let text = try text(field) else { return [] }
        guard let bytes = Base64.decode(eitherAlphabet: text.utf8) else { throw .fieldInvalid(field.rawValue) }
        return bytes
    }

    func list(_ field: Field) throws(RecordFault) -> [JSONValue] {
        guard let value = fields.value(field.rawValue) else { return [] }
        guard let elements = value.elements else { throw .fieldInvalid(field.rawValue) }
        return elements
    }

    func object(_ field: Field) throws(RecordFault) -> JSONObject? { try fields.fields(field.rawValue)?.members }

    private func value(_ field: Field) -> JSONValue? {
        let value = fields.value(field.rawValue)
        return value == .string("") ? nil : value
    }
}

extension JSONValue {
    /// The largest whole number that is not larger than this number; nil if it is none.
    fileprivate var roundedDown: Int64? {
        switch self {
        case .number(let text), .string(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
        default: nil
        }
    }
}

/// The reason why an account's text is invalid. It contains names of fields, but never their values.
public enum RecordFault: Error, Equatable, CustomStringConvertible {
    /// The text is not a JSON object.
    case malformed
    /// The text has more than ``FileRecord/maximumByteCount`` bytes.
    case tooLong
    /// The field is repeated.
    case fieldRepeated(String)
    /// The field has the wrong type or is out of range.
    case fieldInvalid(String)
    /// The field is not a time in whole milliseconds, or for `validSince` in seconds, or is out of range.
    case timeInvalid(String)
    /// The account has no uid.
    case uidMissing
    /// The account has a password hash, but its hash algorithm is not specified.
    case hashAlgorithmMissing
    /// The password hash or its salt does not fit the algorithm.
    case passwordHashInvalid
    /// The password is from Firebase's emulator, which stores it in plain text, and such passwords are not allowed.
    case emulatorPassword
    /// A password of Firebase's emulator is not stored with the account's salt.
    case emulatorPasswordInvalid
    /// Second factors are in `mfa`, the field of another operation.
    case secondFactorsMisplaced
    /// The custom claims are rejected.
    case customClaims(CustomClaimsError)

    /// The last millisecond of the year 9999.
    static let latestTime: Int64 = 253_402_300_799_999

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformed: "not a JSON object"
        case .tooLong: "more than \(FileRecord.maximumByteCount) bytes"
        case .fieldRepeated(let name): "\(name) is repeated"
        case .fieldInvalid(let name): "\(name) has the wrong type or is out of range"
        case .timeInvalid(let name): "\(name) is not a whole number from 0 to \(Self.latestTime)"
        case .uidMissing: "localId is missing"
        case .hashAlgorithmMissing: "the account has a password hash: name its algorithm with --hash-algo"
        case .passwordHashInvalid: "passwordHash or salt does not match the hash algorithm"
        case .emulatorPassword:
            "passwordHash is a password in plain text, from Firebase's emulator: import it with "
                + "--allow-emulator-passwords"
        case .emulatorPasswordInvalid:
            "passwordHash is not \"fakeHash:salt=SALT:password=PASSWORD\" with the account's salt, as Firebase's "
                + "emulator writes it"
        case .secondFactorsMisplaced: "the second factors are in mfa; they belong in mfaInfo"
        case .customClaims(.tooLarge): "customAttributes has more than \(CustomClaims.maximumByteCount) bytes"
        case .customClaims(.malformed): "customAttributes is not a JSON object"
        case .customClaims(.reserved): "customAttributes has a reserved claim name"
        }
    }
}

extension RecordFault: JSONFailure {
    /// Reports a field that has the wrong type.
    public init(_ fault: JSONFault) { self = .fieldInvalid(fault.name) }
}

/// The members of an account that are read, in files and in `accounts:batchCreate`. When you add a member, extend the
/// reader and the writer.
enum AccountField: String {
    case localId, phoneNumber, email, emailVerified, displayName, photoUrl, customAttributes, disabled
    /// Milliseconds since the Unix epoch.
    case createdAt, passwordUpdatedAt
    /// The time of the last sign-in, in the protocol and in the CLI's files; milliseconds since the Unix epoch.
    case lastLoginAt, lastSignedInAt
    /// Seconds since the Unix epoch.
    case validSince
    /// Base64; text that begins with `$`, which names its algorithm; or an emulator's password.
    case passwordHash, salt
    /// A password in plain text.
    case rawPassword
    /// Identities at other providers, which Dialtone does not support for sign-in.
    case providerUserInfo
    /// Second factors; see ``SecondFactorField``.
    case mfaInfo
    /// Second factors in `accounts:update`. Here it is the wrong field, and must not be ignored.
    case mfa
}

/// The members of a second factor in a file, in both formats.
enum SecondFactorField: String {
    case mfaEnrollmentId, displayName
    /// The number in E.164 form. Firebase also writes the second member, with the same number.
    case phoneInfo, unobfuscatedPhoneInfo
    /// A time in RFC 3339 form.
    case enrolledAt
    /// An object with the member of ``TOTPField``.
    case totpInfo
}

/// The members of an authenticator app.
enum TOTPField: String {
    /// The secret in Base32.
    case sharedSecretKey
}
