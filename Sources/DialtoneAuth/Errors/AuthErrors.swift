public import Foundation

/// The domain of errors, and the keys of their user info dictionaries.
public enum AuthErrors {
    /// The domain of all errors of ``Auth``.
    public static let domain = "FIRAuthErrorDomain"
    /// The name of the code, such as `ERROR_INVALID_PHONE_NUMBER`.
    public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
    /// The e-mail address that the error is about.
    public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
    /// The ``AuthCredential`` with which the user can sign in instead.
    public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
    /// The ``MultiFactorResolver`` with which the sign-in continues.
    public static let userInfoMultiFactorResolverKey = "FIRAuthErrorUserInfoMultiFactorResolverKey"
    /// The `Dialtone-Reference` of the response, a string. The operator passes it to `dialtone explain` to find the
    /// reason.
    public static let userInfoReferenceKey = "DialtoneErrorUserInfoReferenceKey"
    /// How long to wait before the next attempt, in seconds: an `NSNumber`.
    public static let userInfoRetryAfterKey = "DialtoneErrorUserInfoRetryAfterKey"
}

/// See ``AuthErrors/domain``.
public let AuthErrorDomain = AuthErrors.domain
/// See ``AuthErrors/userInfoNameKey``.
public let AuthErrorUserInfoNameKey = AuthErrors.userInfoNameKey
/// See ``AuthErrors/userInfoEmailKey``.
public let AuthErrorUserInfoEmailKey = AuthErrors.userInfoEmailKey
/// See ``AuthErrors/userInfoUpdatedCredentialKey``.
public let AuthErrorUserInfoUpdatedCredentialKey = AuthErrors.userInfoUpdatedCredentialKey
/// See ``AuthErrors/userInfoMultiFactorResolverKey``.
public let AuthErrorUserInfoMultiFactorResolverKey = AuthErrors.userInfoMultiFactorResolverKey

extension Error {
    /// The `Dialtone-Reference` of the response, with which the operator finds the reason; nil if the response had
    /// none.
    public var dialtoneReference: String? {
        (self as NSError).userInfo[AuthErrors.userInfoReferenceKey] as? String
    }

    /// How long to wait before the next attempt, in seconds; nil if the server did not say.
    public var dialtoneRetryAfter: TimeInterval? {
        ((self as NSError).userInfo[AuthErrors.userInfoRetryAfterKey] as? NSNumber)?.doubleValue
    }

    /// The resolver of an error ``AuthErrorCode/secondFactorRequired``; nil for other errors.
    public var multiFactorResolver: MultiFactorResolver? {
        (self as NSError).userInfo[AuthErrors.userInfoMultiFactorResolverKey] as? MultiFactorResolver
    }

    /// The credential with which the user can sign in instead; nil if there is none.
    public var updatedCredential: AuthCredential? {
        (self as NSError).userInfo[AuthErrors.userInfoUpdatedCredentialKey] as? AuthCredential
    }
}

/// Details of a failure from a response, in addition to the code.
struct ResponseDetails: Sendable {
    var reference: String?
    /// In seconds.
    var retryAfter: TimeInterval?
}

extension AuthErrorCode: CustomNSError {
    /// See ``AuthErrors/domain``.
    public static var errorDomain: String { AuthErrors.domain }
    /// The raw value.
    public var errorCode: Int { rawValue }
    /// The name and the description.
    public var errorUserInfo: [String: Any] { error().userInfo }
}

extension AuthErrorCode {
    /// Returns an error with this code. The description never contains a token, a verification code or a phone number.
    func error(
        _ description: String? = nil,
        _ details: ResponseDetails = ResponseDetails(),
        info: [String: Any] = [:]
    ) -> NSError {
        var info = info
        info[AuthErrors.userInfoNameKey] = name
        info[NSLocalizedDescriptionKey] = description ?? defaultDescription
        if let reference = details.reference { info[AuthErrors.userInfoReferenceKey] = reference }
        if let retryAfter = details.retryAfter {
            info[AuthErrors.userInfoRetryAfterKey] = NSNumber(value: retryAfter)
        }
        return NSError(domain: AuthErrors.domain, code: rawValue, userInfo: info)
    }

    /// What is wrong and what to do, for codes that users see.
    private var defaultDescription: String {
        switch self {
        case .invalidPhoneNumber: "The phone number is not valid. Enter it with its country code, such as +1."
        case .missingPhoneNumber: "Enter a phone number."
        case .invalidVerificationCode: "The code is wrong. Check it, or request a new code."
        case .missingVerificationCode: "Enter the code from the message."
        case .missingVerificationID, .invalidVerificationID: "The verification is unknown. Request a new code."
        case .sessionExpired: "The code has expired or was used. Request a new code."
        case .expiredActionCode: "The link has expired. Request a new one."
        case .invalidActionCode: "The link is invalid or was used. Request a new one."
        case .tooManyRequests: "There were too many attempts. Try again later."
        case .quotaExceeded: "The service cannot send more messages for now. Try again later."
        case .networkError: "The server could not be reached. Check the connection and try again."
        case .userDisabled: "The account is disabled."
        case .userNotFound: "The account does not exist."
        case .userTokenExpired, .invalidUserToken: "The session has ended. Sign in again."
        case .requiresRecentLogin: "This change requires a recent sign-in. Sign in again, then repeat it."
        case .secondFactorRequired: "The account requires a second factor."
        case .credentialAlreadyInUse: "The credential belongs to another account."
        case .userMismatch: "The credential belongs to another user."
        case .nullUser: "No user is signed in."
        case .invalidAPIKey: "The server does not know the API key. Compare it with the project's API keys."
        default: "The request failed: \(name)."
        }
    }
}
