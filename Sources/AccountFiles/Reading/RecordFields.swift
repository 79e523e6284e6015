internal import Encodings
internal import PhoneAuth

/// The members of an account, or of an object in the account. Null and empty texts count as absent. Names may also be
/// in snake_case, and texts and flags may have the types that the protocol's JSON allows for them.
struct RecordFields<Field: RawRepresentable & Hashable> where Field.RawValue == String {
    private var values: [Field: JSONValue] = [:]
    /// The names of other members. A name is replaced by `…` unless it consists of at most 40 ASCII letters and
    /// underscores: in a malformed file, any other name might be a phone number or an e-mail address.
    private(set) var unknownNames: Set<String> = []

    init(_ object: JSONObject) throws(RecordFault) {
        for (name, value) in object.members {
            guard let field = Field(rawValue: name) ?? Field(rawValue: Self.camelCase(name)) else {
                let bytes = name.utf8
                let isPlain = bytes.count <= 40 && bytes.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "_") }
                unknownNames.insert(isPlain ? name : "…")
                continue
            }
            guard values.updateValue(value, forKey: field) == nil else { throw .fieldRepeated(field.rawValue) }
        }
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    func text(_ field: Field) throws(RecordFault) -> String? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case .string(let text), .number(let text): return text
        default: throw .fieldInvalid(field.rawValue)
        }
    }

    func flag(_ field: Field) throws(RecordFault) -> Bool? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw .fieldInvalid(field.rawValue)
        }
    }

    /// Returns a non-negative integer, from a number or a text. As milliseconds, it must be before the year 10000. A
    /// fraction is dropped if the protocol's type of the field has one, and otherwise refused.
    func time(_ field: Field, isFractional: Bool = false) throws(RecordFault) -> Int64? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case let value?:
            guard let time = value.wholeNumber ?? (isFractional ? value.roundedDown : nil),
                (0...RecordFault.latestTime).contains(time)
            else { throw .timeInvalid(field.rawValue) }
            return time
        }
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
        switch values[field] {
        case nil, .null: return []
        case .array(let elements): return elements
        default: throw .fieldInvalid(field.rawValue)
        }
    }

    func object(_ field: Field) throws(RecordFault) -> JSONObject? {
        switch values[field] {
        case nil, .null: return nil
        case .object(let object): return object
        default: throw .fieldInvalid(field.rawValue)
        }
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
