internal import Foundation

/// The code of an error of ``Auth``. Raw values, domain and keys are those of the Firebase SDK for Apple platforms.
///
/// Errors are `NSError`s with the domain ``AuthErrors/domain``:
///
/// ```swift
/// do {
///     try await Auth.auth().signIn(with: credential)
/// } catch let error where AuthErrorCode(error) == .invalidVerificationCode {
///     // Ask for the code again.
/// }
/// ```
public enum AuthErrorCode: Int, Error, Sendable, CaseIterable {
    /// The custom token is malformed or not signed by an accepted issuer.
    case invalidCustomToken = 17000
    /// The custom token is for another project.
    case customTokenMismatch = 17002
    /// The credential is malformed, wrong or expired.
    case invalidCredential = 17004
    /// The operator has disabled the account.
    case userDisabled = 17005
    /// The operator has disabled this sign-in method, or the region of the number.
    case operationNotAllowed = 17006
    /// Another account has the e-mail address.
    case emailAlreadyInUse = 17007
    /// The e-mail address is malformed.
    case invalidEmail = 17008
    /// The password is wrong.
    case wrongPassword = 17009
    /// A rate limit is exceeded; see ``AuthErrors/userInfoRetryAfterKey``.
    case tooManyRequests = 17010
    /// The account does not exist.
    case userNotFound = 17011
    /// The account exists with another credential.
    case accountExistsWithDifferentCredential = 17012
    /// The change requires a recent sign-in: reauthenticate, then repeat it.
    case requiresRecentLogin = 17014
    /// The account has a credential of this provider already.
    case providerAlreadyLinked = 17015
    /// The account has no credential of this provider.
    case noSuchProvider = 17016
    /// The ID token is invalid; the user must sign in again.
    case invalidUserToken = 17017
    /// The server could not be reached, or did not serve the request.
    case networkError = 17020
    /// The session has ended; the user must sign in again.
    case userTokenExpired = 17021
    /// The API key is unknown.
    case invalidAPIKey = 17023
    /// The credential belongs to another user.
    case userMismatch = 17024
    /// Another account has the credential; see ``AuthErrors/userInfoUpdatedCredentialKey``.
    case credentialAlreadyInUse = 17025
    /// The password is too weak.
    case weakPassword = 17026
    /// The app may not use the API key.
    case appNotAuthorized = 17028
    /// The action code from an e-mail has expired.
    case expiredActionCode = 17029
    /// The action code from an e-mail is invalid, or was used.
    case invalidActionCode = 17030
    /// Reserved for compatibility: an e-mail template is invalid.
    case invalidMessagePayload = 17031
    /// Reserved for compatibility: the sender of an e-mail is invalid.
    case invalidSender = 17032
    /// Reserved for compatibility: the recipient of an e-mail is invalid.
    case invalidRecipientEmail = 17033
    /// The e-mail address is missing.
    case missingEmail = 17034
    /// The bundle ID is missing.
    case missingIosBundleID = 17036
    /// The package name of an Android app is missing.
    case missingAndroidPackageName = 17037
    /// The domain of a challenge page or of a continue URL is not authorized.
    case unauthorizedDomain = 17038
    /// The continue URL is invalid.
    case invalidContinueURI = 17039
    /// The continue URL is missing.
    case missingContinueURI = 17040
    /// The phone number is missing.
    case missingPhoneNumber = 17041
    /// The phone number is malformed, or the project refuses it because the numbering data do not know it.
    case invalidPhoneNumber = 17042
    /// The verification code is missing.
    case missingVerificationCode = 17043
    /// The verification code is wrong.
    case invalidVerificationCode = 17044
    /// The verification ID is missing.
    case missingVerificationID = 17045
    /// The verification ID is unknown.
    case invalidVerificationID = 17046
    /// The server requires a proof of the app.
    case missingAppCredential = 17047
    /// The proof of the app was rejected.
    case invalidAppCredential = 17048
    /// The verification code has expired or was used.
    case sessionExpired = 17051
    /// A quota of the project is exceeded.
    case quotaExceeded = 17052
    /// The APNs device token is missing.
    case missingAppToken = 17053
    /// Reserved for compatibility: the app does not forward remote notifications.
    case notificationNotForwarded = 17054
    /// The app could not be verified.
    case appNotVerified = 17055
    /// The answer to the challenge was rejected.
    case captchaCheckFailed = 17056
    /// Another challenge page is open.
    case webContextAlreadyPresented = 17057
    /// The user closed the challenge page.
    case webContextCancelled = 17058
    /// The challenge page reported a failure.
    case appVerificationUserInteractionFailure = 17059
    /// The client ID or app ID is not registered.
    case invalidClientID = 17060
    /// The challenge page could not reach the server.
    case webNetworkRequestFailed = 17061
    /// The challenge page failed.
    case webInternalError = 17062
    /// The challenge page reported a failure.
    case webSignInUserInteractionFailure = 17063
    /// Reserved for compatibility: no Game Center player is authenticated.
    case localPlayerNotAuthenticated = 17066
    /// The operation requires a user.
    case nullUser = 17067
    /// Reserved for compatibility: the provider is unknown.
    case invalidProviderID = 17071
    /// The tenant ID does not match that of the user.
    case tenantIDMismatch = 17072
    /// Dialtone has no tenants.
    case unsupportedTenantOperation = 17073
    /// Reserved for compatibility: the credential was rejected.
    case rejectedCredential = 17075
    /// Reserved for compatibility: GameKit is not linked.
    case gameKitNotLinked = 17076
    /// The user must also prove a second factor; see ``AuthErrors/userInfoMultiFactorResolverKey``.
    case secondFactorRequired = 17078
    /// The session of the second factor is missing.
    case missingMultiFactorSession = 17081
    /// The second factor is not specified.
    case missingMultiFactorInfo = 17082
    /// The session of the second factor is invalid or has expired.
    case invalidMultiFactorSession = 17083
    /// The user does not have this second factor.
    case multiFactorInfoNotFound = 17084
    /// The operator has disabled the operation for users.
    case adminRestrictedOperation = 17085
    /// A second factor requires a verified e-mail address.
    case unverifiedEmail = 17086
    /// The second factor is already enrolled.
    case secondFactorAlreadyEnrolled = 17087
    /// The user has the maximum number of second factors.
    case maximumSecondFactorCountExceeded = 17088
    /// This first factor cannot be combined with second factors.
    case unsupportedFirstFactor = 17089
    /// A new e-mail address must be verified first.
    case emailChangeNeedsVerification = 17090
    /// The client identifier is missing.
    case missingClientIdentifier = 17093
    /// Reserved for compatibility: the nonce is missing or invalid.
    case missingOrInvalidNonce = 17094
    /// A blocking hook of the operator denied the operation or failed.
    case blockingCloudFunctionError = 17105
    /// Reserved for compatibility: reCAPTCHA Enterprise is not enabled.
    case recaptchaNotEnabled = 17200
    /// Reserved for compatibility: the token of reCAPTCHA Enterprise is missing.
    case missingRecaptchaToken = 17201
    /// Reserved for compatibility: the token of reCAPTCHA Enterprise is invalid.
    case invalidRecaptchaToken = 17202
    /// Reserved for compatibility: the action of reCAPTCHA Enterprise is invalid.
    case invalidRecaptchaAction = 17203
    /// Reserved for compatibility: the client type is missing.
    case missingClientType = 17204
    /// Reserved for compatibility: the version of reCAPTCHA is missing.
    case missingRecaptchaVersion = 17205
    /// Reserved for compatibility: the version of reCAPTCHA is invalid.
    case invalidRecaptchaVersion = 17206
    /// The type of the request is invalid.
    case invalidReqType = 17207
    /// Reserved for compatibility: the reCAPTCHA SDK is not linked.
    case recaptchaSDKNotLinked = 17208
    /// Reserved for compatibility: the site key of reCAPTCHA is missing.
    case recaptchaSiteKeyMissing = 17209
    /// Reserved for compatibility: the action of reCAPTCHA cannot be created.
    case recaptchaActionCreationFailed = 17210
    /// The password does not meet the requirements.
    case passwordDoesNotMeetRequirements = 17211
    /// The domain of a link is invalid.
    case invalidHostingLinkDomain = 17214
    /// The keychain, or the file that replaces it, could not be read or written.
    case keychainError = 17995
    /// The library or the server failed, or the library is not configured; the description says what to do.
    case internalError = 17999
    /// A token from the server is malformed.
    case malformedJWT = 18000

    /// The name of the codes in the Firebase SDK up to version 10.
    public typealias Code = AuthErrorCode

    /// The code itself, as with the Firebase SDK.
    public var code: AuthErrorCode { self }

    /// Creates the code of an error; returns nil if the error is not one of ``Auth``.
    public init?(_ error: any Error) {
        let error = error as NSError
        guard error.domain == AuthErrors.domain else { return nil }
        self.init(rawValue: error.code)
    }
}

extension AuthErrorCode {
    /// The name of the code, such as `ERROR_INVALID_PHONE_NUMBER`: the value of ``AuthErrors/userInfoNameKey``.
    public var name: String {
        switch self {
        case .missingAppCredential: "MISSING_APP_CREDENTIAL"
        case .invalidAppCredential: "INVALID_APP_CREDENTIAL"
        case .networkError: "ERROR_NETWORK_REQUEST_FAILED"
        case .missingAndroidPackageName: "ERROR_MISSING_ANDROID_PKG_NAME"
        case .appVerificationUserInteractionFailure: "ERROR_APP_VERIFICATION_FAILED"
        case .webSignInUserInteractionFailure: "ERROR_WEB_USER_INTERACTION_FAILURE"
        case .blockingCloudFunctionError: "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR"
        default: "ERROR_" + Self.upperSnakeCase("\(self)")
        }
    }

    /// Returns a name in camelCase in UPPER_SNAKE_CASE: `invalidAPIKey` becomes `INVALID_API_KEY`.
    private static func upperSnakeCase(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0 {
                let followsLowercase = characters[index - 1].isLowercase
                let endsAcronym = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsLowercase || endsAcronym { result += "_" }
            }
            result += character.uppercased()
        }
        return result
    }
}
