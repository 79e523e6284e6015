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
    let numberHash: String?
    /// Whether the fixed code of a test number enrolled the phone. Only then such a code may prove it.
    let isOfTestNumber: Bool
    /// The name that the user gave the factor.
    let displayName: String?
    /// When it was enrolled; milliseconds since the Unix epoch.
    let enrolledAt: Int64
    /// The request that enrolled it.
    let requestID: String
    /// The step of the TOTP code that enrolls the factor; nil if there is none, or if the factor is already enrolled.
    /// Redis stores the last accepted step in another field, to reject replays.
    let enrolledStep: Int64?

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
        id = factor.id
        kind = factor.kind
        sealed = factor.sealed
        numberHash = factor.numberHash
        isOfTestNumber = factor.isOfTestNumber
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        requestID = factor.requestID
        enrolledStep = nil
    }

    /// Copies a phone with another hash of its number.
    init(_ factor: SecondFactorRecord, number: PhoneIdentity) {
        id = factor.id
        kind = factor.kind
        sealed = factor.sealed
        numberHash = number.hash
        isOfTestNumber = factor.isOfTestNumber
        displayName = factor.displayName
        enrolledAt = factor.enrolledAt
        requestID = factor.requestID
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
        guard case .object(let object) = try? JSONValue.parse(value) else { return nil }
        func text(_ name: String) -> String? {
            guard case .string(let text) = object[name] else { return nil }
            return text
        }
        guard let kind = text("kind").flatMap(Kind.init), let enrolledAt = text("enrolled").flatMap({ Int64($0) }),
            let sealed = text("sealed").flatMap({ Base64URL.decode($0.utf8) })
        else { return nil }
        self.id = id
        self.kind = kind
        self.sealed = sealed
        numberHash = text("number")
        isOfTestNumber = text("test") != nil
        displayName = text("name")
        self.enrolledAt = enrolledAt
        requestID = text("by") ?? ""
        enrolledStep = nil
    }
}
