internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// One call of an API operation: what its route needs of the request.
struct Call {
    let project: Project
    let apiKey: String
    private(set) var fields: Fields
    /// Who calls. What it calls itself is read only where hooks are told so.
    let client: ClientDescription
    /// The front end's name for the request, the same when it repeats it.
    let requestID: String
    private(set) var platform: AppPlatform
    private let platformOfHeaders: AppPlatform
    /// The bundle id that an iOS app names; nil for other apps.
    let bundleID: String?
    /// The origin of the page that calls, such as `https://example.com`; nil where no browser does.
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

    /// The ID token of an operation that is nothing without one.
    func requiredIDToken() throws(WireError) -> String {
        guard let idToken = try fields.nonEmptyText("idToken") else { throw .badRequest("MISSING_ID_TOKEN") }
        return idToken
    }

    /// The same call, about one of its objects: second factors' messages have what proves the app and says the platform there.
    func about(_ info: Fields) throws(WireError) -> Call {
        var call = self
        call.fields = info
        call.platform = try Self.platform(info) ?? platformOfHeaders
        return call
    }

    /// iOS names its bundle and always its client type; what neither says so nor names an Android package is the web.
    private static func platform(_ fields: Fields) throws(WireError) -> AppPlatform? {
        let clientTypes = ["CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS"]
        switch try fields.enumeration("clientType", clientTypes) {
        case "CLIENT_TYPE_IOS": return .iOS
        case "CLIENT_TYPE_ANDROID": return .android
        case "CLIENT_TYPE_WEB": return .web
        default: return nil
        }
    }

    /// What the app says comes before what its browser or system says. Who writes the message reads it; what is cut off is no
    /// language of a user's.
    private static func locale(_ request: borrowing Request) -> String {
        let language = request.parameter("HTTP_X_FIREBASE_LOCALE").flatMap { $0.isEmpty ? nil : $0 }
        return String((language ?? request.parameter("HTTP_ACCEPT_LANGUAGE") ?? "").unicodeScalars.prefix(64))
    }

    private static func userAgent(_ request: borrowing Request) -> String {
        String((request.parameter("HTTP_USER_AGENT") ?? "").unicodeScalars.prefix(512))
    }
}
