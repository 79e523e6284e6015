public import PhoneAuth

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
