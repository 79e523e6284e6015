internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// One call of an API operation: the parts of the request that its route needs.
struct Call {
    let project: Project
    let apiKey: String
    private(set) var fields: Fields
    /// The client. Its user agent is read only if the project has blocking hooks, which receive it.
    let client: ClientDescription
    /// The request id from the front end. A request that the front end retries keeps its id.
    let requestID: String
    private(set) var platform: AppPlatform
    private let platformOfHeaders: AppPlatform
    /// The bundle id of an iOS app; nil for other apps.
    let bundleID: String?
    /// The origin of the calling page, such as `https://example.com`; nil if the client is not a browser.
    let origin: String?

    init(
        _ request: borrowing Request,
        project: Project,
        apiKey: String,
        fields: Fields,
        requestID: String
    ) throws(WireError) {
        self.project = project
        self.apiKey = apiKey
        self.fields = fields
        self.requestID = requestID
        client = ClientDescription(
            networkAddress: request.parameter("REMOTE_ADDR") ?? "",
            userAgent: project.blockingHooks.isEmpty ? "" : Self.userAgent(request),
            locale: Self.locale(request)
        )
        bundleID = request.parameter("HTTP_X_IOS_BUNDLE_IDENTIFIER").flatMap { $0.isEmpty ? nil : $0 }
        platformOfHeaders =
            bundleID != nil ? .iOS : request.parameter("HTTP_X_ANDROID_PACKAGE") != nil ? .android : .web
        platform = try Self.platform(fields) ?? platformOfHeaders
        origin = request.parameter("HTTP_ORIGIN")
    }

    /// Returns the ID token of an operation that requires one.
    func requiredIDToken() throws(WireError) -> String {
        guard let idToken = try fields.nonEmptyText("idToken") else { throw .badRequest("MISSING_ID_TOKEN") }
        return idToken
    }

    /// Returns the same call with one of its nested objects as its fields. Requests for second-factor messages carry
    /// the app credential and the client type in such an object.
    func about(_ info: Fields) throws(WireError) -> Call {
        var call = self
        call.fields = info
        call.platform = try Self.platform(info) ?? platformOfHeaders
        return call
    }

    /// iOS sends its bundle id and always its client type. A request without a client type, a bundle id and an Android
    /// package is from the web.
    private static func platform(_ fields: Fields) throws(WireError) -> AppPlatform? {
        let clientTypes = ["CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS"]
        switch try fields.enumeration("clientType", clientTypes) {
        case "CLIENT_TYPE_IOS": return .iOS
        case "CLIENT_TYPE_ANDROID": return .android
        case "CLIENT_TYPE_WEB": return .web
        default: return nil
        }
    }

    /// The app's language takes precedence over the browser's or system's. The message renderer parses the value. No
    /// real language preference exceeds the 64 characters that are kept.
    private static func locale(_ request: borrowing Request) -> String {
        let language = request.parameter("HTTP_X_FIREBASE_LOCALE").flatMap { $0.isEmpty ? nil : $0 }
        return String((language ?? request.parameter("HTTP_ACCEPT_LANGUAGE") ?? "").unicodeScalars.prefix(64))
    }

    private static func userAgent(_ request: borrowing Request) -> String {
        String((request.parameter("HTTP_USER_AGENT") ?? "").unicodeScalars.prefix(512))
    }
}
