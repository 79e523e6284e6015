internal import OutgoingHTTP
public import Encodings

/// A gateway that sends through any HTTP API, as a template describes it.
///
/// Most APIs have no idempotency key: if a response is lost, a retry may send a second message.
public struct HTTPGateway: Gateway, Confidential {
    /// The gateway's name in routes, logs and receipt URLs.
    public let name: GatewayName
    private let configuration: HTTPGatewayConfiguration
    private let receipts: (address: GatewayURL, verifier: any ReceiptVerifier)?
    private let client: GatewayHTTPClient
    private let now: @Sendable () -> Instant

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - name: the gateway's name in routes.
    ///   - configuration: the parsed template.
    ///   - receipts: the URL to which the provider sends receipts, and their verifier; nil for no receipts.
    ///   - client: the HTTP client.
    ///   - now: the clock for signatures.
    public init(
        name: GatewayName,
        configuration: HTTPGatewayConfiguration,
        receipts: (address: GatewayURL, verifier: any ReceiptVerifier)? = nil,
        client: GatewayHTTPClient,
        now: @escaping @Sendable () -> Instant = Instant.system
    ) {
        self.name = name
        self.configuration = configuration
        self.receipts = receipts
        self.client = client
        self.now = now
    }

    /// Sends a message.
    ///
    /// - Parameter message: the message to send.
    /// - Returns: the outcome.
    public func send(_ message: OutgoingMessage) async -> GatewayOutcome {
        let receiptURL = receipts.map { $0.verifier.url($0.address, for: message.id) }
        let request = configuration.request(message, receiptURL: receiptURL, at: now())
        do throws(RequestFailure) {
            return configuration.outcome(try await client.send(request))
        } catch {
            return GatewayOutcome(error)
        }
    }

    /// Makes the template's request for a check. Without one, any response of the server shows that it is reached.
    public func check() async -> GatewayOutcome? {
        do throws(RequestFailure) {
            return configuration.fault(try await client.send(configuration.checkRequest(at: now())))
        } catch {
            return GatewayOutcome(error)
        }
    }
}
