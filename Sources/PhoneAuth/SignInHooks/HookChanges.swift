internal import Encodings

/// The changes in a hook's response: the protocol's `userRecord` with its field mask.
struct HookChanges: Sendable, Confidential {
    /// New values; nil removes the field.
    private(set) var fields: [AccountField: String?] = [:]
    /// Session claims: the session's ID tokens carry them, the account does not.
    private(set) var sessionClaims: CustomClaims?

    init() {}

    /// Reads a response. Fields outside the mask are unchanged; fields in the mask without a value are removed.
    init(_ body: [UInt8], to event: BlockingHookEvent) throws(BlockingHookFault) {
        guard case .object(let answer) = try? JSONValue.parse(body) else { throw .malformed }
        let record: JSONObject
        switch answer["userRecord"] {
        case nil, .null: return
        case .object(let object): record = object
        default: throw .malformed
        }
        guard case .string(let mask) = record["updateMask"], !mask.isEmpty else { throw .updateMaskMissing }
        for field in mask.split(separator: ",", omittingEmptySubsequences: false) {
            try take(String(field), record, event)
        }
    }

    private mutating func take(
        _ field: String,
        _ record: JSONObject,
        _ event: BlockingHookEvent
    ) throws(BlockingHookFault) {
        guard event != .beforeSecondFactorEnrollment else { throw .fieldNotChangeable }
        let value = record[field] ?? .null
        switch field {
        case "displayName":
            let name = try Self.text(value, field)
            guard DisplayName.isLegal(name) else { throw .valueWrong(field: field) }
            fields[.displayName] = .some(name)
        // The SDK for hooks spells it `photoURL` like the Admin SDKs, the rest of the protocol `photoUrl`.
        case "photoURL", "photoUrl":
            let url = try Self.text(value, field)
            guard url?.utf8.count ?? 0 <= Account.maximumPhotoURLBytes else { throw .valueWrong(field: field) }
            fields[.photoURL] = .some(url)
        case "disabled": fields[.isDisabled] = .some(try Self.flag(value, field) ? "1" : nil)
        case "emailVerified": fields[.isEmailVerified] = .some(try Self.flag(value, field) ? "1" : nil)
        case "customClaims": fields[.customAttributes] = .some(try Self.claims(value, field)?.text)
        case "sessionClaims" where event == .beforeSignIn: sessionClaims = try Self.claims(value, field)
        default: throw .fieldNotChangeable
        }
    }

    private static func text(_ value: JSONValue, _ field: String) throws(BlockingHookFault) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text.isEmpty ? nil : text
        default: throw .valueWrong(field: field)
        }
    }

    private static func flag(_ value: JSONValue, _ field: String) throws(BlockingHookFault) -> Bool {
        switch value {
        case .null: false
        case .bool(let flag): flag
        default: throw .valueWrong(field: field)
        }
    }

    private static func claims(_ value: JSONValue, _ field: String) throws(BlockingHookFault) -> CustomClaims? {
        switch value {
        case .null: return nil
        case .object:
            var json = JSONWriter()
            json.value(value)
            do { return try CustomClaims(String(decoding: json.bytes, as: UTF8.self)) } catch {
                throw .claimsRefused(error)
            }
        default: throw .valueWrong(field: field)
        }
    }
}
