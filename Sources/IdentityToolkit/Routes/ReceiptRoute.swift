internal import FastCGI
internal import PhoneAuth
internal import RedisStore
public import SMSGateways

/// The SMS gateways that send delivery receipts, and how their receipts are authenticated.
public struct ReceiptSources: Sendable {
    /// One gateway.
    public struct Source: Sendable {
        let gateway: GatewayName
        let address: GatewayURL
        let verifier: any ReceiptVerifier

        /// - Parameters:
        ///   - gateway: its name, the last part of the receipt URL.
        ///   - address: the receipt URL as configured at the gateway.
        ///   - verifier: authenticates the gateway's receipts.
        public init(gateway: GatewayName, address: GatewayURL, verifier: any ReceiptVerifier) {
            self.gateway = gateway
            self.address = address
            self.verifier = verifier
        }
    }

    private let sources: [String: Source]

    /// Creates the list of sources.
    public init(_ sources: [Source]) {
        self.sources = Dictionary(sources.map { ($0.gateway.text, $0) }) { first, _ in first }
    }

    func source(_ gateway: String) -> Source? { sources[gateway] }
}

extension IdentityToolkitHandler {
    /// `POST /dialtone/v1/receipts/{gateway}`: a gateway's delivery receipt.
    ///
    /// Only the signature authenticates the sender. The response is the same whether or not the message exists.
    func deliveryReceipt(
        from gateway: String,
        _ request: borrowing Request,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        guard let source = receiptSources.source(gateway) else { throw .notFound }
        let receipt: DeliveryReceipt
        do {
            receipt = try source.verifier.verify(
                try receiptRequest(request, source),
                at: UnixTime(seconds: authenticator.environment.now().seconds)
            )
        } catch let refusal as ReceiptRefusal {
            switch refusal {
            case .forged, .tooOld: throw .forbidden(logDetail: "the receipt is \(refusal.rawValue)")
            case .malformed: throw .badRequest("INVALID_ARGUMENT : The receipt is malformed.")
            }
        } catch let error as WireError {
            throw error
        } catch {
            throw .internalError(logDetail: "the receipt was not read")
        }
        record.reason = "\(receipt.state)"
        let finding: DeliveryFinding
        switch receipt.state {
        case .delivered: finding = .delivered(gateway: gateway)
        case .undelivered: finding = .undelivered(gateway: gateway)
        case .pending: return Response(status: 204)
        }
        do {
            record.detail = "\(gateway): \(try authenticator.followUp(receipt.message.text, finding).logText)"
        } catch {
            throw .unavailable(logDetail: error.description)
        }
        return Response(status: 204)
    }

    private func receiptRequest(
        _ request: borrowing Request,
        _ source: ReceiptSources.Source
    ) throws(WireError) -> ReceiptRequest {
        let query = request.parameter("QUERY_STRING") ?? ""
        let headers = [
            "x-twilio-signature": request.parameter("HTTP_X_TWILIO_SIGNATURE"),
            "dialtone-signature": request.parameter("HTTP_DIALTONE_SIGNATURE"),
            "content-type": request.parameter("CONTENT_TYPE"), "authorization": request.parameter("HTTP_AUTHORIZATION"),
        ]
        return ReceiptRequest(
            url: query.isEmpty ? source.address.text : "\(source.address.text)?\(query)",
            body: try bytes(of: request),
            header: { headers[$0] ?? nil }
        )
    }
}

extension FollowUp {
    fileprivate var logText: String {
        switch self {
        case .unknown: "no such message"
        case .repeated: "known before"
        case .news(let consequence, _, _): consequence.rawValue
        }
    }
}
