internal import Encodings

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

/// The reason why an app gets no token, as the page returns it to the app.
///
/// The iOS SDK knows `auth/invalid-client-id`, `auth/network-request-failed` and `auth/internal-error`. Any other code
/// becomes its `webSignInUserInteractionFailure`, with the message as its reason.
public enum VerifyAppError: Sendable, Equatable, CaseIterable {
    case cancelled
    case networkRequestFailed
    case checkFailed
    case tooManyRequests
    case internalError
    case bundleIDMismatch
    case malformedRequest

    /// The code, which begins with `auth/`.
    public var code: String {
        switch self {
        case .cancelled: "auth/user-cancelled"
        case .networkRequestFailed: "auth/network-request-failed"
        case .checkFailed: "auth/captcha-check-failed"
        case .tooManyRequests: "auth/too-many-requests"
        case .internalError: "auth/internal-error"
        case .bundleIDMismatch: "auth/app-not-authorized"
        case .malformedRequest: "auth/argument-error"
        }
    }

    /// A sentence for the app's developer.
    public var message: String {
        switch self {
        case .cancelled: "The user cancelled the app verification."
        case .networkRequestFailed: "The server, or the challenge's provider, could not be reached."
        case .checkFailed: "The challenge's answer was not accepted."
        case .tooManyRequests: "Too many attempts; try again later."
        case .internalError: "The server failed to check the challenge's answer."
        case .bundleIDMismatch: "The bundle ID is not the one that this client ID or app ID is registered with."
        case .malformedRequest: "A parameter of the verification page's URL is missing or malformed."
        }
    }

    var json: String {
        let bytes = JSONWriter.object { json in
            json.member("code", code)
            json.member("message", message)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
