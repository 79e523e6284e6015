internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

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

    init(
        _ request: borrowing Request,
        in operation: OperationContext,
        apiKey: String,
        fields: Fields,
        providers: ChallengeProviders,
        isDevelopment: Bool,
        _ record: RequestRecord
    ) throws(WireError) {
        self.operation = operation
        self.apiKey = apiKey
        self.fields = fields
        self.record = record
        self.providers = providers
        self.isDevelopment = isDevelopment
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
    private static func locale(_ request: borrowing Request) -> String {
        let language = request.parameter("HTTP_X_FIREBASE_LOCALE").flatMap { $0.isEmpty ? nil : $0 }
        return String((language ?? request.parameter("HTTP_ACCEPT_LANGUAGE") ?? "").unicodeScalars.prefix(64))
    }

    private static func userAgent(_ request: borrowing Request) -> String {
        String((request.parameter("HTTP_USER_AGENT") ?? "").unicodeScalars.prefix(512))
    }
}
