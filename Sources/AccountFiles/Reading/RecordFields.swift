internal import Encodings
internal import PhoneAuth

/// The members of an account in a file, or of an object in the account. Null and empty texts count as absent.
struct RecordFields<Field: RawRepresentable & Hashable> where Field.RawValue == String {
    private var values: [Field: JSONValue] = [:]

    init(_ record: FileRecord) throws(RecordFault) {
        guard let content = record.content else { throw .tooLong }
        guard case .object(let object) = try? JSONValue.parse(content) else { throw .malformed }
        try self.init(object)
    }

    init(_ object: JSONObject) throws(RecordFault) {
        for (name, value) in object.members {
            guard let field = Field(rawValue: name) else {
                let isPlain = name.utf8.count <= 40 && name.utf8.allSatisfy(\.isASCIILetter)
                throw .fieldUnknown(isPlain ? name : nil)
            }
            guard values.updateValue(value, forKey: field) == nil else { throw .fieldRepeated(name) }
        }
    }

    func text(_ field: Field) throws(RecordFault) -> String? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case .string(let text): return text
        default: throw .fieldInvalid(field.rawValue)
        }
    }

    func flag(_ field: Field) throws(RecordFault) -> Bool? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case .bool(let flag): return flag
        default: throw .fieldInvalid(field.rawValue)
        }
    }

    /// Returns a non-negative integer, from a number or a text. As milliseconds, it must be before the year 10000.
    func time(_ field: Field) throws(RecordFault) -> Int64? {
        switch values[field] {
        case nil, .null, .string(""): return nil
        case let value?:
            guard let time = value.wholeNumber, (0...253_402_300_799_999).contains(time) else {
                throw .fieldInvalid(field.rawValue)
            }
            return time
        }
    }

    func instant(_ field: Field) throws(RecordFault) -> Instant? {
        try time(field).map(Instant.init(milliseconds:))
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
