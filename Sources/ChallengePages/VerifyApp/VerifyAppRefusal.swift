/// Why the handler's query asks for nothing that can be given, and whether the app can be told.
public struct VerifyAppRefusal: Error, Equatable {
    /// What is wrong.
    public let reason: Reason
    /// Where the app waits, known once its scheme was found registered; nil: only the page can say what is wrong.
    public let callback: Callback?

    /// A refusal.
    public init(reason: Reason, callback: Callback?) {
        self.reason = reason
        self.callback = callback
    }

    /// What is wrong with a request.
    public enum Reason: Sendable, Hashable, CaseIterable {
        /// `authType` is not `verifyApp`.
        case unsupportedType
        /// A parameter is missing, there twice, or not of its form.
        case malformed
        /// No registered app has the bundle id, nor the client id or app id.
        case unknownApp
        /// The client id or app id is that of an app with another bundle id.
        case bundleIDMismatch
        /// The bundle id's app has another client id or app id, so the scheme is not known to be its own.
        case schemeNotRegistered

        /// A word for logs, and for the developer who reads the page.
        public var code: String {
            switch self {
            case .unsupportedType: "unsupported-auth-type"
            case .malformed: "malformed-request"
            case .unknownApp: "unknown-app"
            case .bundleIDMismatch: "bundle-id-mismatch"
            case .schemeNotRegistered: "scheme-not-registered"
            }
        }
    }

    /// What the app is told, where it can be.
    var error: VerifyAppError { reason == .bundleIDMismatch ? .bundleIDMismatch : .malformedRequest }
}
