internal import Cryptography
internal import Encodings

/// The fields of a Vonage receipt. Names are unique.
struct VonageReceiptFields {
    private let fields: [String: String]

    /// Parses the body, or the query if the body is empty. Returns nil if the content is neither a form nor a JSON
    /// object, or repeats a name.
    init?(_ request: ReceiptRequest, _ query: FormFields) {
        let pairs: [(name: String, value: String)]
        if request.body.isEmpty {
            pairs = query.fields
        } else if request.header("content-type")?.lowercased().hasPrefix("application/json") == true {
            guard let members = Self.members(request.body) else { return nil }
            pairs = members
        } else {
            guard let form = FormFields(request.body) else { return nil }
            pairs = form.fields
        }
        var fields: [String: String] = [:]
        for (name, value) in pairs {
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        self.fields = fields
    }

    subscript(name: String) -> String? { fields[name] }

    /// Returns whether `sig` is the receipt's HMAC-SHA256, in hexadecimal digits of either case. The HMAC covers
    /// `&name=value` for all other fields, sorted by name; `&` and `=` in values are replaced by `_`.
    func isSigned(with secret: GatewaySecret) -> Bool {
        guard let signature = fields["sig"].flatMap({ Hexadecimal.decode($0) }) else { return false }
        let text = fields.filter { $0.key != "sig" }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .reduce(into: "") { text, field in
                text += "&\(field.key)=" + String(field.value.map { $0 == "&" || $0 == "=" ? "_" : $0 })
            }
        // Compares in constant time.
        return HMAC.isValidAuthenticationCode(signature, .sha256, for: Array(text.utf8), key: secret.bytes)
    }

    private static func members(_ body: [UInt8]) -> [(name: String, value: String)]? {
        guard case .object(let object)? = try? JSONValue.parse(body, maximumDepth: 2) else { return nil }
        var members: [(name: String, value: String)] = []
        for (name, value) in object.members {
            switch value {
            case .string(let text), .number(let text): members.append((name, text))
            case .bool(let flag): members.append((name, flag ? "true" : "false"))
            case .null: members.append((name, ""))
            case .array, .object: return nil
            }
        }
        return members
    }
}
