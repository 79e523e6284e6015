public import Encodings

/// The changes in a hook's response: the protocol's `userRecord` with its field mask.
struct HookChanges: Sendable, Confidential {
    /// New values; nil removes the field.
    private(set) var fields: [AccountField: String?] = [:]
    /// Session claims: the session's ID tokens carry them, the account does not.
    private(set) var sessionClaims: CustomClaims?

    fileprivate static let record = "userRecord"

    init() {}

    /// Reads a response. Fields outside the mask are unchanged; fields in the mask without a value are removed.
    init(_ body: [UInt8], to event: BlockingHookEvent) throws(BlockingHookFault) {
        guard let answer = JSONObject(parsing: body) else { throw .malformed }
        guard let record = try JSONFields<BlockingHookFault>(answer).fields(Self.record) else { return }
        guard let mask = record.members["updateMask"]?.text, !mask.isEmpty else { throw .updateMaskMissing }
        for field in mask.split(separator: ",", omittingEmptySubsequences: false) {
            try take(String(field), record, event)
        }
    }

    private mutating func take(
        _ field: String,
        _ record: JSONFields<BlockingHookFault>,
        _ event: BlockingHookEvent
    ) throws(BlockingHookFault) {
        guard event != .beforeSecondFactorEnrollment else { throw .fieldNotChangeable }
        switch field {
        case "displayName":
            let name = try record.nonEmptyText(field)
            guard DisplayName.isLegal(name) else { throw .valueWrong(field: field) }
            fields[.displayName] = .some(name)
        // The SDK for hooks spells it `photoURL` like the Admin SDKs, the rest of the protocol `photoUrl`.
        case "photoURL", "photoUrl":
            let url = try record.nonEmptyText(field)
            guard url?.utf8.count ?? 0 <= Account.maximumPhotoURLBytes else { throw .valueWrong(field: field) }
            fields[.photoURL] = .some(url)
        case "disabled": fields[.isDisabled] = .some(try record.flag(field) == true ? "1" : nil)
        case "emailVerified": fields[.isEmailVerified] = .some(try record.flag(field) == true ? "1" : nil)
        case "customClaims": fields[.customAttributes] = .some(try Self.claims(record.fields(field))?.text)
        case "sessionClaims" where event == .beforeSignIn: sessionClaims = try Self.claims(record.fields(field))
        default: throw .fieldNotChangeable
        }
    }

    private static func claims(_ claims: JSONFields<BlockingHookFault>?) throws(BlockingHookFault) -> CustomClaims? {
        guard let claims else { return nil }
        do { return try CustomClaims(claims.members) } catch { throw .claimsRefused(error) }
    }
}

extension BlockingHookFault: JSONFailure {
    /// Reports a value of the wrong type.
    public init(_ fault: JSONFault) {
        self = fault.name == HookChanges.record ? .malformed : .valueWrong(field: fault.name)
    }
}
