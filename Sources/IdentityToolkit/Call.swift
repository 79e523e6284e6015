internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import MessageTexts
internal import PhoneAuth
internal import Reports

/// One call of a user's route: the parts of the request that its handler needs.
struct Call {
    /// The context of the operation that is called.
    let operation: OperationContext
    let apiKey: String
    private(set) var fields: Fields
    /// The client. Its user agent is read only if the project has blocking hooks, which receive it.
    let client: ClientDescription
    private(set) var platform: AppPlatform
    private let platformOfHeaders: AppPlatform
    /// The app that the headers name.
    let app: ClientApp
    /// Whether the URL alone contains the API key.
    let isAPIKeyInURL: Bool
    /// The origin of the calling page, such as `https://example.com`; nil if the client is not a browser.
    let origin: String?
    let record: RequestRecord
    /// The CAPTCHA providers of the projects.
    let providers: ChallengeProviders
    let isDevelopment: Bool
    let actionLink: ActionLink

    init(
        _ request: borrowing Request,
        in operation: OperationContext,
        apiKey: String,
        fields: Fields,
        providers: ChallengeProviders,
        projects: ProjectDirectory,
        _ record: RequestRecord
    ) throws(WireError) {
        self.operation = operation
        self.apiKey = apiKey
        self.fields = fields
        self.record = record
        self.providers = providers
        isDevelopment = projects.isDevelopment
        actionLink = projects.actionLink(of: operation.project, apiKey: apiKey, request)
        client = ClientDescription(
            networkAddress: request.clientAddress,
            userAgent: operation.project.blockingHooks.isEmpty ? "" : Self.userAgent(request),
            locale: Self.locale(request)
        )
        app = Self.app(
            bundleID: request.parameter("HTTP_X_IOS_BUNDLE_IDENTIFIER") ?? "",
            packageName: request.parameter("HTTP_X_ANDROID_PACKAGE") ?? ""
        )
        isAPIKeyInURL = request.isAPIKeyInURL
        platformOfHeaders =
            switch app {
            case .iOS: .iOS
            case .android: .android
            case .web: .web
            }
        platform = try Self.platform(fields) ?? platformOfHeaders
        origin = request.parameter("HTTP_ORIGIN")
    }

    var project: Project { operation.project }

    /// Returns the ID token of an operation that requires one.
    func requiredIDToken() throws(WireError) -> String {
        guard let idToken = try fields.nonEmptyText("idToken") else { throw .code(.missingIDToken) }
        return idToken
    }

    /// Throws if the request names a tenant; tenants are not supported.
    func refuseTenants() throws(WireError) {
        try fields.refuseTenants()
    }

    /// Returns the same call with one of its nested objects as its fields. Requests for second-factor messages carry
    /// the app credential and the client type in such an object.
    func about(_ info: Fields) throws(WireError) -> Call {
        var call = self
        call.fields = info
        call.platform = try Self.platform(info) ?? platformOfHeaders
        return call
    }

    private static func app(bundleID: String, packageName: String) -> ClientApp {
        if !bundleID.isEmpty { return .iOS(bundleID: bundleID) }
        return packageName.isEmpty ? .web : .android(packageName: packageName)
    }

    /// Returns the platform of the client type. iOS sends its bundle id, and always its client type. A request without
    /// a client type, a bundle id and an Android package comes from the web.
    private static func platform(_ fields: Fields) throws(WireError) -> AppPlatform? {
        let clientTypes = ["CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS"]
        switch try fields.enumeration("clientType", clientTypes) {
        case "CLIENT_TYPE_IOS": return .iOS
        case "CLIENT_TYPE_ANDROID": return .android
        case "CLIENT_TYPE_WEB": return .web
        default: return nil
        }
    }

    /// Returns the client's language preferences. The app's language takes precedence over the browser's or system's.
    /// The message renderer parses the value. No real language preference exceeds the 64 characters that are kept.
    static func locale(_ request: borrowing Request) -> String {
        let language = request.parameter("HTTP_X_FIREBASE_LOCALE").flatMap { $0.isEmpty ? nil : $0 }
        return String((language ?? request.parameter("HTTP_ACCEPT_LANGUAGE") ?? "").unicodeScalars.prefix(64))
    }

    private static func userAgent(_ request: borrowing Request) -> String {
        String((request.parameter("HTTP_USER_AGENT") ?? "").unicodeScalars.prefix(512))
    }
}

/// The fields by which an app proves itself, the same wherever it requests a message or an account.
extension Call {
    /// Returns the request to send a verification code, with the app credential.
    func messageRequest() throws(WireError) -> SendVerificationCodeRequest {
        SendVerificationCodeRequest(
            phoneNumber: try fields.text("phoneNumber") ?? "",
            credential: try appCredential(),
            app: app,
            client: .network(address: client.networkAddress, apiKey: apiKey),
            locale: client.locale,
            ending: try messageEnding(),
            channel: try channel()
        )
    }

    /// Returns the requested channel, an extension of the protocol.
    private func channel() throws(WireError) -> MessageChannel? {
        guard let text = try fields.nonEmptyText("channel") else { return nil }
        guard let channel = MessageChannel(rawValue: text) else {
            let names = MessageChannel.allCases.map(\.rawValue).joined(separator: ", ")
            throw .code(.invalidArgument, "The channel must be one of \(names).")
        }
        return channel
    }

    /// Returns the app credential of a sign-up.
    func appProofRequest() throws(WireError) -> AppProofRequest {
        AppProofRequest(
            credential: try appCredential(),
            app: app,
            networkAddress: client.networkAddress
        )
    }

    /// Returns the ending of the message. Android apps send their SMS Retriever hash; for web apps the message names
    /// the site to which the code is bound (WebOTP). An unregistered hash is ignored and the message is sent without
    /// it: the user can still type the code.
    private func messageEnding() throws(WireError) -> MessageEnding? {
        if let hash = try fields.fields("autoRetrievalInfo")?.text("appSignatureHash").flatMap(AppSignatureHash.init),
            project.androidApps.allows(hash)
        {
            return .smsRetriever(appHash: hash)
        }
        guard let origin, origin.hasPrefix("https://") else { return nil }
        let domain = String(origin.dropFirst("https://".count))
        guard project.authorizedDomains.contains(domain) else { return nil }
        return BoundHost(domain).map { .boundTo(host: $0) }
    }

    /// Returns the app credential. Empty fields count as absent, except a web app's challenge token: SDKs in testing
    /// mode send an empty or made-up token, and must get the same error for both.
    private func appCredential() throws(WireError) -> AppCredential {
        if let receipt = try fields.nonEmptyText("iosReceipt") {
            return .pushReceipt(receipt: receipt, secret: try fields.text("iosSecret") ?? "")
        }
        if let token = try fields.text("recaptchaToken"), !token.isEmpty || platform == .web {
            return .challengeToken(token)
        }
        if let token = try fields.nonEmptyText("playIntegrityToken") { return .playIntegrityToken(token) }
        return try fields.nonEmptyText("safetyNetToken") == nil ? .absent : .safetyNetToken
    }
}

/// One call of an admin route.
struct AdminCall {
    /// The context of the operation that is called.
    let operation: OperationContext
    let fields: Fields
    /// The URL's query, for requests without a body.
    let query: FormFields
    /// Whether the administrator may read secrets, such as the codes of test numbers. Write access is required.
    let showsSecrets: Bool
    let actionLink: ActionLink
    /// The settings that reports name if an outbox has no gateway.
    let unsetGateways: UnsetGateways
    let record: RequestRecord

    /// Returns a query parameter; old Admin SDKs send it in the body.
    func parameter(_ name: String) throws(WireError) -> String? {
        if let text = query[name] { return text.isEmpty ? nil : text }
        return try fields.nonEmptyText(name)
    }

    /// Returns the uid of an operation on one account.
    func requiredUID() throws(WireError) -> String {
        guard let uid = try fields.nonEmptyText("localId") else { throw .code(.missingLocalID) }
        return uid
    }
}
