/// The app that a request comes from, as it claims in its headers. A challenge token is valid only for the app that
/// solved the challenge.
public enum ClientApp: Hashable, Sendable {
    /// The iOS app with this bundle id.
    case iOS(bundleID: String)
    /// The Android app with this package name.
    case android(packageName: String)
    /// A web app.
    case web

    /// The holder's name in Redis.
    var text: String {
        switch self {
        case .iOS(let bundleID): "app:\(bundleID)"
        case .android(let packageName): "android:\(packageName)"
        case .web: "web"
        }
    }
}

/// The platform of the requesting app, as the app claims it; decides the wording of errors.
public enum AppPlatform: Sendable {
    case iOS, android, web
}
