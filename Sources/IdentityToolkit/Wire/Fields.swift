internal import Encodings
internal import PhoneAuth

/// The fields of a request body, read by the protocol's types.
struct Fields {
    private let object: JSONObject
    /// Whether any name may be in snake_case. If not, absent fields need only one lookup.
    private let hasSnakeCase: Bool

    /// Creates an empty set of fields.
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

    /// Reads the fields of a form.
    init(form: FormFields, names: [String]) {
        self.init(object: JSONObject(members: names.compactMap { name in form[name].map { (name, .string($0)) } }))
    }

    /// All members, unparsed.
    var members: JSONObject { object }

    /// Returns the text of a field; nil if absent or null.
    ///
    /// A number becomes its literal text, as on the protocol's production servers.
    func text(_ name: String) throws(WireError) -> String? {
        switch value(name) {
        case nil, .null: return nil
        case .string(let text): return text
        case .number(let spelling): return spelling
        case .bool, .array, .object:
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_STRING).")
        }
    }

    /// Returns the text of a field; nil if absent, null or empty.
    func nonEmptyText(_ name: String) throws(WireError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    /// Returns a whole number in any spelling of proto3's JSON, also as a text; nil if absent, null or empty.
    ///
    /// - Throws: the protocol's error for a field of this type, such as `INT32`.
    func integer(_ name: String, _ type: String = "INT64") throws(WireError) -> Int64? {
        guard let text = try nonEmptyText(name) else { return nil }
        guard let number = Int64(wholeNumber: text) else {
            throw .invalidPayload("Invalid value at '\(name)' (TYPE_\(type)).")
        }
        return number
    }

    /// Returns a flag; nil if absent or null.
    func flag(_ name: String) throws(WireError) -> Bool? {
        switch value(name) {
        case nil, .null: return nil
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw .invalidPayload("Invalid value at '\(name)' (TYPE_BOOL).")
        }
    }

    /// Returns an object's fields; nil if absent or null.
    func fields(_ name: String) throws(WireError) -> Fields? {
        switch value(name) {
        case nil, .null: return nil
        case .object(let object): return Fields(object: object)
        default: throw .invalidPayload("Invalid value at '\(name)' (type.googleapis.com/google.protobuf.Struct).")
        }
    }

    /// Returns the objects of a list; empty if absent or null.
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

    /// Returns whether a field is present and null.
    func isNull(_ name: String) -> Bool { value(name) == .null }

    /// Returns whether a field is absent, null or empty.
    func isEmptyOrAbsent(_ name: String) -> Bool {
        switch value(name) {
        case nil, .null: true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    /// Returns the name of an enumeration's value; the Android SDK sends values as numbers.
    func enumeration(_ name: String, _ names: [String]) throws(WireError) -> String? {
        try text(name).map { Self.name(of: $0, in: names) }
    }

    private static func name(of text: String, in names: [String]) -> String {
        guard let number = Int64(wholeNumber: text).map(Int.init), names.indices.contains(number) else { return text }
        return names[number]
    }

    /// Returns the texts of a list; empty if absent or null.
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

    /// Returns the names of a list of enumeration values.
    func enumerations(_ name: String, _ names: [String]) throws(WireError) -> [String] {
        try texts(name).map { Self.name(of: $0, in: names) }
    }

    /// Throws if the request names a tenant; tenants are not supported.
    func refuseTenants() throws(WireError) {
        guard try nonEmptyText("tenantId") == nil else { throw .code(.unsupportedTenantOperation) }
    }

    private init(object: JSONObject) {
        self.object = object
        hasSnakeCase = object.members.contains { $0.name.utf8.contains(UInt8(ascii: "_")) }
    }

    /// Names are in camelCase; the Android SDK sends snake_case.
    private func value(_ name: String) -> JSONValue? {
        object[name] ?? (hasSnakeCase ? object.members.last { Self.isSnakeCase($0.name, of: name) }?.value : nil)
    }

    /// Returns whether a text is the snake_case form of an ASCII name in camelCase.
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

/// The fields by which users and operators set or remove an account's attributes.
extension Fields {
    /// In the order of the enumeration values, which some SDKs send.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]

    /// Returns the attributes to remove: those in `deleteAttribute`, and a display name or photo URL that is null, as
    /// the JS SDK's `updateProfile` sends it. In every other field, null is the same as an absent field.
    func removedAttributes() throws(WireError) -> Set<String> {
        var removed = Set(try enumerations("deleteAttribute", Self.attributes))
        if isNull("displayName") { removed.insert("DISPLAY_NAME") }
        if isNull("photoUrl") { removed.insert("PHOTO_URL") }
        return removed
    }
}

extension UpdateAccountRequest.Change {
    /// Reads a change. An empty text removes the current value.
    init(_ text: String?, isRemoved: Bool) {
        if isRemoved {
            self = .removed
        } else if let text {
            self = text.isEmpty ? .removed : .set(text)
        } else {
            self = .unchanged
        }
    }
}
