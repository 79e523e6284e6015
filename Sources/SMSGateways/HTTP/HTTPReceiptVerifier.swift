internal import Cryptography
public import Encodings

/// A verifier for the receipts of an HTTP gateway: JSON, XML or a form, in the body or the query.
///
/// Each message has a receipt URL of its own, with Dialtone's message id and an HMAC of it. If a provider has one URL
/// for all messages, the URL contains the secret instead, and the receipt contains the id.
public struct HTTPReceiptVerifier: ReceiptVerifier, Confidential {
    private static let messageField = "message"
    private static let proofField = "proof"
    private static let tokenField = "token"

    private let receipts: HTTPGatewayTemplate.Receipts
    private let secret: GatewaySecret

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - receipts: where receipts have their values.
    ///   - secret: the key of the HMAC, or the token in the URL.
    public init(_ receipts: HTTPGatewayTemplate.Receipts, secret: GatewaySecret) {
        self.receipts = receipts
        self.secret = secret
    }

    /// Returns the URL for the receipts of a message.
    public func url(_ address: GatewayURL, for message: MessageID) -> String {
        guard receipts.id == nil else { return address.appending(field: Self.tokenField, secret.text) }
        return address.appending(field: Self.messageField, message.text) + "&\(Self.proofField)=\(proof(of: message))"
    }

    /// Verifies and parses a receipt; see ``ReceiptVerifier/verify(_:at:)``. The URL has no timestamp.
    public func verify(_ request: ReceiptRequest, at now: Instant) throws(ReceiptRefusal) -> DeliveryReceipt {
        guard let query = FormFields(request.query.utf8) else { throw .malformed }
        let named = query[Self.messageField].flatMap { MessageID($0) }
        if receipts.id == nil {
            guard let named, let given = query[Self.proofField],
                equalInConstantTime(Array(proof(of: named).utf8), Array(given.utf8))
            else { throw .forged }
        } else {
            guard let token = query[Self.tokenField], secret.matches(token) else { throw .forged }
        }
        // Strangers have nothing parsed but the query.
        let fields = GatewayFields(request.body.isEmpty ? Array(request.query.utf8) : request.body)
        let message = if let path = receipts.id { fields?[path].flatMap { MessageID($0) } } else { named }
        let states = receipts.state.listed.compactMap { fields?[$0] }
        guard let message, !states.isEmpty else { throw .malformed }
        return DeliveryReceipt(message: message, state: state(states, fields))
    }

    private func state(_ states: [String], _ fields: GatewayFields?) -> DeliveryReceipt.State {
        if !Set(receipts.delivered.listed).isDisjoint(with: states) { return .delivered }
        guard !Set(receipts.undelivered.listed).isDisjoint(with: states) else { return .pending }
        return .undelivered(receipts.error.flatMap { fields?[$0] }.flatMap { GatewayCode(word: $0) })
    }

    /// The prefix separates this use of the secret from the gateway's own.
    private func proof(of message: MessageID) -> String {
        let bytes = Array("dialtone-receipt:\(message.text)".utf8)
        return Base64URL.string(HMAC.authenticationCode(.sha256, for: bytes, key: secret.bytes))
    }
}
