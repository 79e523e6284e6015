public import Encodings

/// A second factor as it stands in its account's hash, in a field of its own.
public struct SecondFactorRecord: Sendable, Confidential {
    /// What kind of a factor it is; the raw values stand in Redis.
    public enum Kind: String, Sendable {
        case phone
        case totp
    }

    /// Names it in its account.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// A phone's number or the secret of TOTP, sealed for the account.
    public let sealed: [UInt8]
    /// A phone's number as Redis knows it.
    public let numberHash: String?
    /// What the user calls it.
    public let displayName: String?
    /// When it was enrolled; milliseconds since the Unix epoch.
    public let enrolledAt: Int64
    /// The request that enrolled it.
    let requestID: String
    /// The step of the TOTP code by which it is enrolled; nil where there was none, or where it is enrolled already. Redis keeps the
    /// last step whose code was taken beside it.
    let enrolledStep: Int64?

    /// A factor that an account is to get. The `requestID` is the same when a front end repeats the request.
    public init(
        id: String,
        kind: Kind,
        sealed: [UInt8],
        number: PhoneIdentity?,
        displayName: String?,
        enrolledAt: Int64,
        requestID: String,
        enrolledStep: Int64? = nil
    ) {
        self.id = id
        self.kind = kind
        self.sealed = sealed
        numberHash = number?.hash
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        self.requestID = requestID
        self.enrolledStep = enrolledStep
    }

    /// The same factor under another name, or enrolled at another time. The step that stands beside it stays: a code may be taken
    /// in this moment.
    public init(_ factor: SecondFactorRecord, displayName: String?, enrolledAt: Int64) {
        id = factor.id
        kind = factor.kind
        sealed = factor.sealed
        numberHash = factor.numberHash
        self.displayName = displayName
        self.enrolledAt = enrolledAt
        requestID = factor.requestID
        enrolledStep = nil
    }

    /// The same phone, whose number is known by another hash.
    init(_ factor: SecondFactorRecord, number: PhoneIdentity) {
        id = factor.id
        kind = factor.kind
        sealed = factor.sealed
        numberHash = number.hash
        displayName = factor.displayName
        enrolledAt = factor.enrolledAt
        requestID = factor.requestID
        enrolledStep = nil
    }

    private static let prefix = "second-factor:"

    static func field(_ id: String) -> String { prefix + id }

    var field: String { Self.field(id) }

    var stepField: String { "totp-step:" + id }

    /// What stands in the field; `second-factors.lua` reads it, too.
    var value: [UInt8] {
        JSONWriter.object { json in
            json.member("kind", kind.rawValue)
            if let numberHash { json.member("number", numberHash) }
            json.member("sealed", Base64URL.string(sealed))
            if let displayName { json.member("name", displayName) }
            json.member("enrolled", String(enrolledAt))
            json.member("by", requestID)
        }
    }

    /// All those of an account, the first enrolled first.
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
        displayName = text("name")
        self.enrolledAt = enrolledAt
        requestID = text("by") ?? ""
        enrolledStep = nil
    }
}

/// The second factor that a session was begun with, as its refresh token remembers it.
public struct SecondFactorMark: Sendable, Hashable {
    /// How it was proven.
    public let method: String
    /// Which factor it was; empty where none of the account's own was.
    public let id: String

    /// A factor; nil where none was asked for.
    public init?(method: String, id: String) {
        guard !method.isEmpty else { return nil }
        self.method = method
        self.id = id
    }
}
