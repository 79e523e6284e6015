public import Encodings
internal import RedisScripts

/// A second factor as stored in a field of its account's hash.
public struct SecondFactorRecord: Sendable, Confidential {
    /// The kind of factor; the raw values are stored in Redis.
    public enum Kind: String, Sendable {
        case phone
        case totp
    }

    /// The factor's id, unique in its account.
    let id: String
    /// The kind of factor.
    let kind: Kind
    /// A phone's number or a TOTP secret, sealed for the account.
    let sealed: [UInt8]
    /// The keyed hash of a phone's number.
    private(set) var numberHash: String?
    /// Whether the fixed code of a test number enrolled the phone. Only then such a code may prove it.
    let isOfTestNumber: Bool
    /// The name that the user gave the factor.
    private(set) var displayName: String?
    /// When it was enrolled; milliseconds since the Unix epoch.
    private(set) var enrolledAt: Int64
    /// The request that enrolled it.
    let requestID: String
    /// The step of the TOTP code that enrolls the factor; nil if there is none, or if the factor is already enrolled.
    /// Redis stores the last accepted step in another field, to reject replays.
    private(set) var enrolledStep: Int64?

    /// Describes a factor to enroll. The `requestID` is the same if the front end retries the request.
    public init(
        id: String,
        kind: Kind,
        sealed: [UInt8],
        number: PhoneIdentity?,
        isOfTestNumber: Bool = false,
        displayName: String?,
        enrolledAt: Int64,
        requestID: String,
        enrolledStep: Int64? = nil
    ) {
        self.id = id
        self.kind = kind
        self.sealed = sealed
        numberHash = number?.hash
        self.isOfTestNumber = isOfTestNumber
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.requestID = requestID
        self.enrolledStep = enrolledStep
    }

    /// Copies a factor with another name or enrollment time. The stored TOTP step is unchanged, because a code may be
    /// accepted concurrently.
    public init(_ factor: SecondFactorRecord, displayName: String?, enrolledAt: Int64) {
        self = factor
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        enrolledStep = nil
    }

    /// Copies a phone with another hash of its number.
    init(_ factor: SecondFactorRecord, number: PhoneIdentity) {
        self = factor
        numberHash = number.hash
        enrolledStep = nil
    }

    private static let prefix = "second-factor:"

    static func field(_ id: String) -> String { prefix + id }

    var field: String { Self.field(id) }

    var stepField: String { "totp-step:" + id }

    /// The field's value, which `second-factors.lua` also reads.
    var value: [UInt8] {
        JSONWriter.object { json in
            json.member("kind", kind.rawValue)
            if let numberHash { json.member("number", numberHash) }
            if isOfTestNumber { json.member("test", "1") }
            json.member("sealed", Base64URL.string(sealed))
            if let displayName { json.member("name", displayName) }
            json.member("enrolled", String(enrolledAt))
            json.member("by", requestID)
        }
    }

    /// Returns all second factors of an account, the first enrolled first.
    static func all(in fields: HashFields) -> [SecondFactorRecord] {
        fields.compactMap { name, value in
            guard name.hasPrefix(prefix) else { return nil }
            return SecondFactorRecord(id: String(name.dropFirst(prefix.count)), value)
        }
        .sorted { ($0.enrolledAt, $0.id) < ($1.enrolledAt, $1.id) }
    }

    private init?(id: String, _ value: [UInt8]) {
        guard let object = JSONObject(parsing: value) else { return nil }
        guard let kind = object["kind"]?.text.flatMap(Kind.init),
            let enrolledAt = object["enrolled"]?.text.flatMap({ Int64($0) }),
            let sealed = object["sealed"]?.text.flatMap({ Base64URL.decode($0.utf8) })
        else { return nil }
        self.id = id
        self.kind = kind
        self.sealed = sealed
        numberHash = object["number"]?.text
        isOfTestNumber = object["test"]?.text != nil
        displayName = object["name"]?.text
        self.enrolledAt = enrolledAt
        requestID = object["by"]?.text ?? ""
        enrolledStep = nil
    }
}
