internal import Cryptography
public import Encodings

/// A verifier for Twilio's status callbacks.
///
/// Twilio: "Security", section "Validating requests"; "Outbound Message Status in Status Callbacks"; "Calls resource",
/// section "Call Status Values". The header field `X-Twilio-Signature` is the Base64 of an HMAC-SHA1 under the
/// account's auth token. The HMAC covers the URL, followed by the name and the value of each form field, sorted by
/// name. The signature has no timestamp, so a replayed receipt cannot be detected.
public struct TwilioReceiptVerifier: ReceiptVerifier {
    /// The query parameter that carries Dialtone's message id.
    private static let field = "message"

    /// The length of the Base64 of 20 bytes.
    private static let signatureCharacters = 28

    private let authToken: GatewaySecret

    /// Creates a verifier.
    ///
    /// - Parameter authToken: the account's primary auth token, even if messages are sent with an API key.
    public init(authToken: GatewaySecret) {
        self.authToken = authToken
    }

    /// Returns the URL with the message's id. Twilio's signature covers the query.
    public func url(_ address: GatewayURL, for message: MessageID) -> String {
        address.appending(field: Self.field, message.text)
    }

    /// Verifies and parses a receipt; see ``ReceiptVerifier/verify(_:at:)``. The signature has no timestamp.
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let text = request.header("x-twilio-signature"), text.utf8.count == Self.signatureCharacters,
            let signature = Base64.decode(eitherAlphabet: text.utf8)
        else { throw .forged }
        guard let form = FormFields(request.body) else { throw .malformed }
        guard urls(request.url).contains(where: { isGenuine(signature, $0, form) }) else { throw .forged }
        guard let message = FormFields(request.query.utf8)?[Self.field].flatMap({ MessageID($0) }) else {
            throw .malformed
        }
        guard let status = form["MessageStatus"] ?? form["CallStatus"] else { throw .malformed }
        return DeliveryReceipt(message: message, state: state(status, form["ErrorCode"]))
    }

    private func state(_ status: String, _ error: String?) -> DeliveryReceipt.State {
        switch status {
        case "delivered", "read", "completed": .delivered
        case "undelivered", "failed", "canceled", "busy", "no-answer": .undelivered(error.flatMap { GatewayCode($0) })
        default: .pending
        }
    }

    private func isGenuine(_ signature: [UInt8], _ url: String, _ form: FormFields) -> Bool {
        var text = url
        var previous: (name: String, value: String)?
        for field in form.fields.sorted(by: Self.precedes) {
            // A field that is repeated with the same value is signed once.
            if let previous, previous == field { continue }
            previous = field
            text += field.name + field.value
        }
        // Compares in constant time.
        return HMAC.isValidAuthenticationCode(signature, .sha1, for: Array(text.utf8), key: authToken.bytes)
    }

    /// Compares bytewise (Twilio: "Unix-style case-sensitive sorting order"), uppercase before lowercase.
    private static func precedes(_ left: (name: String, value: String), _ right: (name: String, value: String)) -> Bool
    {
        left.name == right.name
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }

    /// Returns the URL with and without its port: Twilio signs either form, depending on the product.
    private func urls(_ url: String) -> [String] {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return [url] }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let tail = rest.dropFirst(authority.count)
        guard let colon = authority.lastIndex(of: ":"), authority[authority.index(after: colon)...].isASCIIDigits else {
            return [url, "\(scheme)\(authority):443\(tail)"]
        }
        return [url, "\(scheme)\(authority[..<colon])\(tail)"]
    }
}
