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
        public internal(set) var id: String?

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
    var method = Method.post
    /// `Name: value; Name: value`
    var headers = ""
    var content = Content.json
    var body = ""
    var authentication = GatewayAuthentication.none
    /// Where the response has the provider's message id.
    var answerID: String?
    /// Where the response may have a code; separated by commas.
    var answerError: String?
    /// See ``GatewayErrors``.
    var errors = ""
    /// Nil if the provider has no receipts that name a message.
    public internal(set) var receipts: Receipts?
    /// The path and query of a GET request that only valid credentials may make; nil if there is none.
    var check: String?

    /// A setting that a template may need.
    public enum Need: String, Sendable, CaseIterable {
        case account
        case secret
        case sender = "from"
        case template
        case key
    }

    /// Whether the template needs a setting.
    public func needs(_ need: Need) -> Bool {
        switch need {
        case .account where authentication.needsAccount, .secret where authentication.needsSecret: true
        case .key: authentication == .vonage
        default: [path, headers, body].contains { $0.contains("{\(need.rawValue)") }
        }
    }

    /// Whether the URL of the server must be set.
    public var needsServer: Bool { server.isEmpty }
}

extension HTTPGatewayTemplate {
    /// Creates the template of the kind `http`. Parameters are texts as in the settings.
    public init(
        url: String,
        method: Method,
        headers: String?,
        body: (content: Content, text: String)?,
        authentication: GatewayAuthentication,
        answer: (id: String?, error: String?, errors: String?),
        receipts: Receipts?
    ) {
        self.init(
            path: url,
            method: method,
            headers: headers ?? "",
            content: body?.content ?? .form,
            body: body?.text ?? "",
            authentication: authentication,
            answerID: answer.id,
            answerError: answer.error,
            errors: answer.errors ?? "",
            receipts: receipts
        )
    }
}
