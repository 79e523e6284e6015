/// The reason why the handler rejects a query, and whether the app can receive the error.
public struct VerifyAppRefusal: Error, Equatable {
    /// What is wrong.
    public let reason: Reason
    /// The app's callback, known once its scheme is found registered. If nil, only the page can show the error.
    public let callback: Callback?

    /// Creates a refusal.
    public init(reason: Reason, callback: Callback?) {
        self.reason = reason
        self.callback = callback
    }

    /// What is wrong with a request.
    public enum Reason: Sendable, Hashable, CaseIterable {
        /// `authType` is not `verifyApp`.
        case unsupportedType
        /// A parameter is missing, repeated or malformed.
        case malformed
        /// No registered app has the bundle id, and none has the client id or app id.
        case unknownApp
        /// The client id or app id belongs to an app with another bundle id.
        case bundleIDMismatch
        /// The app with the bundle id has another client id or app id, so the scheme may not be its own.
        case schemeNotRegistered
        /// No operator has registered the redirect URI of a request to the sign-in page.
        case redirectURINotRegistered

        /// A code for logs, and for the developer who reads the page.
        public var code: String {
            switch self {
            case .unsupportedType: "unsupported-auth-type"
            case .malformed: "malformed-request"
            case .unknownApp: "unknown-app"
            case .bundleIDMismatch: "bundle-id-mismatch"
            case .schemeNotRegistered: "scheme-not-registered"
            case .redirectURINotRegistered: "redirect-uri-not-registered"
            }
        }
    }

    /// The error for the app, if it can receive one.
    var error: VerifyAppError { reason == .bundleIDMismatch ? .bundleIDMismatch : .malformedRequest }
}
