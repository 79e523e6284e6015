internal import Cryptography
public import Encodings

/// A verifier for Vonage's signed delivery receipts in a query, a form or JSON, depending on the account's settings.
///
/// Vonage: "Delivery receipts"; "Signing messages", section "Manually generate a signature". Vonage signs receipts only
/// for accounts for which its support has enabled signing. For other accounts, ``HTTPReceiptVerifier`` verifies a token
/// in the URL.
public struct VonageReceiptVerifier: ReceiptVerifier {
    private let secret: GatewaySecret
    private let tolerance: Duration

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - secret: the account's signature secret; the method in its settings must be SHA-256 HMAC.
    ///   - tolerance: the maximum difference between a signature's timestamp and the current time.
    public init(secret: GatewaySecret, tolerance: Duration = .seconds(300)) {
        self.secret = secret
        self.tolerance = tolerance
    }

    /// Verifies and parses a receipt; see ``ReceiptVerifier/verify(_:at:)``.
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let query = FormFields(request.query.utf8) else { throw .malformed }
        guard let fields = VonageReceiptFields(request, query) else { throw .malformed }
        guard fields.isSigned(with: secret) else { throw .forged }
        guard let time = fields["timestamp"].flatMap({ Int64($0) }) else { throw .malformed }
        guard Instant(seconds: time).isWithin(tolerance, of: now) else { throw .tooOld }
        guard let message = fields["client-ref"].flatMap({ MessageID($0) }), let status = fields["status"] else {
            throw .malformed
        }
        return DeliveryReceipt(message: message, state: state(status, fields["err-code"]))
    }

    private func state(_ status: String, _ error: String?) -> DeliveryReceipt.State {
        switch status {
        case "delivered": .delivered
        case "failed", "rejected", "expired": .undelivered(error.flatMap { GatewayCode($0) })
        default: .pending
        }
    }
}

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
        guard let object = JSONObject(parsing: body, maximumDepth: 2) else { return nil }
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
