internal import Encodings
internal import PhoneAuth

/// The fields of a request body, read by the protocol's types. A text may be a number, which becomes its literal text,
/// as on the protocol's production servers.
typealias Fields = JSONFields<WireError>

extension WireError: JSONFailure {
    init(_ fault: JSONFault) {
        let type =
            switch fault.expected {
            case .text, .texts: " (TYPE_STRING)"
            case .integer: " (TYPE_INT64)"
            case .flag: " (TYPE_BOOL)"
            case .object: " (type.googleapis.com/google.protobuf.Struct)"
            case .objects: ""
            }
        self = .invalidPayload("Invalid value at '\(fault.name)'\(type).")
    }
}

extension Fields {
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
        guard let object = document.object else { throw .invalidPayload("Root element must be a message.") }
        self.init(object, .protocolBuffer)
    }

    /// Reads the fields of a form.
    init(form: FormFields, names: [String]) {
        let members = names.compactMap { name in form[name].map { (name, JSONValue.string($0)) } }
        self.init(JSONObject(members: members), .protocolBuffer)
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

    /// Returns whether a field is absent, null or empty.
    func isEmptyOrAbsent(_ name: String) -> Bool {
        switch value(name) {
        case nil: true
        case .array(let elements): elements.isEmpty
        case .object(let object): object.members.isEmpty
        default: false
        }
    }

    /// Returns the name of an enumeration's value; the Android SDK sends values as numbers.
    func enumeration(_ name: String, _ names: [String]) throws(WireError) -> String? {
        try text(name).map { Self.name(of: $0, in: names) }
    }

    /// Returns the names of a list of enumeration values; empty if absent or null.
    func enumerations(_ name: String, _ names: [String]) throws(WireError) -> [String] {
        try (texts(name) ?? []).map { Self.name(of: $0, in: names) }
    }

    private static func name(of text: String, in names: [String]) -> String {
        guard let number = Int64(wholeNumber: text).map(Int.init), names.indices.contains(number) else { return text }
        return names[number]
    }

    /// Throws if the request names a tenant; tenants are not supported.
    func refuseTenants() throws(WireError) {
        guard try nonEmptyText("tenantId") == nil else { throw .code(.unsupportedTenantOperation) }
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
    /// Returns the attributes to remove: those in `deleteAttribute`, and a display name or photo URL that is null, as
    /// the JS SDK's `updateProfile` sends it. In every other field, null is the same as an absent field.
    func removedAttributes() throws(WireError) -> Set<String> {
        // In the order of the enumeration values, which some SDKs send.
        let attributes = [
            "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
            "RAW_USER_INFO",
        ]
        var removed = Set(try enumerations("deleteAttribute", attributes))
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
