public import Encodings

/// How a provider's HTTP API is called, and how its responses and receipts are read: everything that distinguishes one
/// provider from another. Recipes are templates; with the kind `http`, the settings are one.
///
/// The texts contain placeholders such as `{to}`; see ``HTTPGatewayConfiguration``.
public struct HTTPGatewayTemplate: Sendable, Confidential {
    /// The method of the request.
    public enum Method: String, Sendable, CaseIterable {
        case post
        case get
    }

    /// The content type of the body, which determines how values are escaped.
    public enum Content: String, Sendable, CaseIterable {
        case json
        case form
        case xml

        var mediaType: String {
            switch self {
            case .json: "application/json"
            case .form: FormFields.mediaType
            case .xml: "application/xml"
            }
        }
    }

    /// Where a receipt has its values, and what they mean. Texts with commas are lists.
    public struct Receipts: Sendable {
        var state: String
        var delivered: String
        var undelivered: String
        var error: String?
        /// Where the receipt has Dialtone's message id, if the provider has one receipt URL for all messages. Otherwise
        /// the id is in the URL that each message names.
        var id: String?

        /// Creates a description.
        public init(state: String, delivered: String, undelivered: String, error: String? = nil, id: String? = nil) {
            self.state = state
            self.delivered = delivered
            self.undelivered = undelivered
            self.error = error
            self.id = id
        }
    }

    /// The scheme and host if the settings may replace them; empty if each account has its own.
    var server = ""
    /// The path and query, or the whole URL.
    var path: String
    /// The method of the request.
    public var method = Method.post
    /// `Name: value; Name: value`
    public var headers = ""
    /// The content type of the body.
    public var content = Content.json
    /// The body of a POST request.
    public var body = ""
    /// How the request is authenticated.
    public var authentication = GatewayAuthentication.none
    /// The shortest lifetime of a message that the provider takes, in seconds.
    var leastSeconds: Int64 = 30
    /// Where the response has the provider's message id.
    public var answerID: String?
    /// Where the response may have a code; separated by commas.
    public var answerError: String?
    /// What the codes mean: `accepted=0; number invalid=21211,21614; no credit=9`, in the words of logs and metrics.
    public var errors = ""
    /// How receipts are read that Dialtone's own URL authenticates; nil if there are none that name a message.
    public var receipts: Receipts?
    /// Makes the verifier of receipts that the provider signs.
    var signedReceipts: (@Sendable (GatewaySecret) -> any ReceiptVerifier)?
    /// The path and query of a GET request that only valid credentials may make; nil if there is none.
    var check: String?
    /// Where the response to this request has a prepaid account's credit.
    var credit: String?

    /// A setting that a template may need.
    public enum Need: String, Sendable, CaseIterable {
        case account
        case secret
        case sender = "from"
        case template
        case languages = "language"
        case key
        case keyID
    }

    /// Whether the template needs a setting.
    public func needs(_ need: Need) -> Bool {
        switch need {
        case .account where authentication.needsAccount, .secret where authentication.needsSecret: true
        case .key: authentication == .vonage
        case .keyID: authentication == .twilio
        default: uses(need.rawValue)
        }
    }

    /// Whether the template contains a placeholder.
    public func uses(_ placeholder: String) -> Bool {
        [path, headers, body].contains { $0.contains("{\(placeholder)") }
    }

    /// Whether the URL of the server must be set.
    public var needsServer: Bool { server.isEmpty }

    /// How receipts may be authenticated: by the provider's signature, by Dialtone's own URL, or by either.
    public var receiptProofs: (signature: Bool, url: Bool) { (signedReceipts != nil, receipts != nil) }

    /// Whether the secret for requests may also authenticate receipts. With an id in the receipt, the URL contains it.
    public var sharesSecret: Bool { receipts.map { $0.id == nil } ?? (authentication == .twilio) }

    /// Returns the verifier of receipts with a secret; nil if the provider has none. If both proofs are possible,
    /// `isSigned` chooses the provider's signature.
    public func verifier(secret: GatewaySecret, isSigned: Bool = true) -> (any ReceiptVerifier)? {
        let plain = receipts.map { HTTPReceiptVerifier($0, secret: secret) }
        return isSigned ? signedReceipts?(secret) ?? plain : plain
    }
}

extension HTTPGatewayTemplate {
    /// Creates the template of a POST request to a provider without a recipe. All texts are as in the settings.
    public init(url: String) {
        self.init(path: url)
    }
}

extension String {
    /// The elements of a list that is separated by commas.
    var listed: [String] { split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty } }
}
