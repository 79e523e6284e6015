public import PhoneAuth

/// What is wrong with the text of an account. Nothing of what it says is in it, but names of fields.
public enum RecordFault: Error, Equatable, CustomStringConvertible {
    /// It is no JSON object.
    case malformed
    /// It has more than ``FileRecord/maximumByteCount``.
    case tooLong
    /// It has a field that we do not know, so something would be lost. Its name is here where it is of letters only: else a
    /// file that is not as it should be might show a number or an address in it.
    case fieldUnknown(String?)
    /// A field stands in it twice.
    case fieldRepeated(String)
    /// The field is not of its type, or out of its range.
    case fieldInvalid(String)
    /// It has no uid.
    case uidMissing
    /// It has a password's hash, but nobody said how that was made.
    case hashAlgorithmMissing
    /// The password's hash or its salt is not what the algorithm makes.
    case passwordHashInvalid
    /// The custom claims are not taken.
    case customClaims(CustomClaimsError)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .malformed: "it is no JSON object"
        case .tooLong: "it has more than \(FileRecord.maximumByteCount) bytes"
        case .fieldUnknown(let name): "it has a field that is not known\(name.map { ", \($0)" } ?? "")"
        case .fieldRepeated(let name): "\(name) stands in it twice"
        case .fieldInvalid(let name): "\(name) is not what it should be"
        case .uidMissing: "localId is missing"
        case .hashAlgorithmMissing: "it has a password hash: say how that was made with --hash-algo"
        case .passwordHashInvalid: "passwordHash or salt is not what the algorithm makes"
        case .customClaims(.tooLarge): "customAttributes has more than \(CustomClaims.maximumByteCount) bytes"
        case .customClaims(.malformed): "customAttributes is no JSON object"
        case .customClaims(.reserved): "customAttributes has a name that tokens need for themselves"
        }
    }
}
