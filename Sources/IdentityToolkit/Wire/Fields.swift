internal import Encodings

/// The fields of a request's body, read as the protocol declares them.
struct Fields {
    private let object: JSONObject
    /// Whether any name may be in snake_case, so that absent fields need not be looked for twice.
    private let hasSnakeCase: Bool

    /// No fields.
    init() {
        self.init(object: JSONObject())
    }

    /// Reads a JSON body; an empty one is `{}`.
    init(json body: [UInt8]) throws(WireError) {
        guard !body.isEmpty else {
            self.init()
            return
        }
        let document: JSONValue
        do {
            document = try JSONValue.parse(body)
        } catch {
            throw .invalidPayload(Self.explanation(of: error))
        }
        guard case .object(let object) = document else { throw .invalidPayload("Root element must be a message.") }
        self.init(object: object)
    }

    /// Takes the fields of a form.
    init(form: FormFields, names: [String]) {
        self.init(object: JSONObject(members: names.compactMap { name in form[name].map { (name, .string($0)) } }))
    }

    /// All of them, unread.
    var members: JSONObject { object }

    /// The text of a field; nil where it is absent or null.
    ///
    /// A number becomes its spelling, as the protocol's production servers do.
    func text(_ name: String) throws(WireError) -> String? {
        switch value(name) {
        case nil, .null: return nil
        case .string(let text): return text
        case .number(let spelling): return spelling
        case .bool, .array, .object:
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
        }
    }

    /// The text of a field that says something; nil where it is absent, null or empty.
    func nonEmptyText(_ name: String) throws(WireError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    /// A flag; nil where it is absent or null.
    func flag(_ name: String) throws(WireError) -> Bool? {
        switch value(name) {
        case nil, .null: return nil
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_BOOL).")
        }
    }

    /// An object's fields; nil where it is absent or null.
    func fields(_ name: String) throws(WireError) -> Fields? {
        switch value(name) {
        case nil, .null: return nil
        case .object(let object): return Fields(object: object)
        default: throw .invalidPayload("Invalid value at '\(name)' (type.googleapis.com/google.protobuf.Struct).")
        }
    }

    /// The objects of a list; empty where it is absent or null.
    func list(_ name: String) throws(WireError) -> [Fields] {
        switch value(name) {
        case nil, .null: return []
        case .array(let elements):
            var objects: [Fields] = []
            for element in elements {
                guard case .object(let object) = element else { throw .invalidPayload("Invalid value at '\(name)'.") }
                objects.append(Fields(object: object))
            }
            return objects
        default: throw .invalidPayload("Invalid value at '\(name)'.")
        }
    }

    /// Whether a field is there and null.
    func isNull(_ name: String) -> Bool { value(name) == .null }

    /// Whether a field is absent, null or has nothing in it.
    func isEmptyOrAbsent(_ name: String) -> Bool {
        switch value(name) {
        case nil, .null: true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    /// Which of an enumeration's names a field has; the Android SDK sends them as numbers.
    func enumeration(_ name: String, _ names: [String]) throws(WireError) -> String? {
        try text(name).map { Self.name(of: $0, in: names) }
    }

    private static func name(of text: String, in names: [String]) -> String {
        guard let number = Int(text), names.indices.contains(number) else { return text }
        return names[number]
    }

    /// The texts of a list; empty where it is absent or null.
    func texts(_ name: String) throws(WireError) -> [String] {
        switch value(name) {
        case nil, .null: return []
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                switch element {
                case .string(let text), .number(let text): texts.append(text)
                default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
                }
            }
            return texts
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
        }
    }

    /// Which of an enumeration's names a list has.
    func enumerations(_ name: String, _ names: [String]) throws(WireError) -> [String] {
        try texts(name).map { Self.name(of: $0, in: names) }
    }

    private init(object: JSONObject) {
        self.object = object
        hasSnakeCase = object.members.contains { $0.name.utf8.contains(UInt8(ascii: "_")) }
    }

    /// Names come in camelCase, and in snake_case from the Android SDK.
    private func value(_ name: String) -> JSONValue? {
        object[name] ?? (hasSnakeCase ? object.members.last { Self.isSnakeCase($0.name, of: name) }?.value : nil)
    }

    /// Whether a text is an ASCII name in camelCase, written in snake_case.
    private static func isSnakeCase(_ text: String, of name: String) -> Bool {
        var rest = text.utf8.makeIterator()
        for byte in name.utf8 {
            if byte.isASCIIUppercaseLetter, rest.next() != UInt8(ascii: "_") { return false }
            if rest.next() != byte.asciiLowercased { return false }
        }
        return rest.next() == nil
    }

    private static func explanation(of error: JSONError) -> String {
        switch error {
        case .unexpectedEnd: "Unexpected end of string."
        case .unexpectedByte(let offset): "Unexpected token at offset \(offset)."
        case .invalidUTF8(let offset): "Invalid UTF-8 at offset \(offset)."
        case .tooDeep: "Message too deep."
        }
    }
}
