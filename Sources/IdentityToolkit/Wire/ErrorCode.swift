/// The error codes of the protocol, grouped by topic. SDKs compare them byte for byte.
///
/// A code may be followed by an explanation: `WEAK_PASSWORD : Password should be …`. Codes that only Dialtone sends are
/// marked as extensions.
enum ErrorCode: String, Sendable, CaseIterable {
    // MARK: Any request
    case invalidArgument = "INVALID_ARGUMENT"
    case operationNotAllowed = "OPERATION_NOT_ALLOWED"
    case unsupportedTenantOperation = "UNSUPPORTED_TENANT_OPERATION"
    /// A rate limit that the user can wait out.
    case tooManyAttemptsTryLater = "TOO_MANY_ATTEMPTS_TRY_LATER"
    /// A rate limit or a budget that is the operator's concern.
    case quotaExceeded = "QUOTA_EXCEEDED"
    /// Other requests changed the same account concurrently.
    case aborted = "ABORTED"
    /// A blocking hook denied the operation or failed.
    case blockingFunctionErrorResponse = "BLOCKING_FUNCTION_ERROR_RESPONSE"

    // MARK: Phone numbers and verification codes
    case invalidPhoneNumber = "INVALID_PHONE_NUMBER"
    case missingPhoneNumber = "MISSING_PHONE_NUMBER"
    case phoneNumberExists = "PHONE_NUMBER_EXISTS"
    case missingSessionInfo = "MISSING_SESSION_INFO"
    case invalidSessionInfo = "INVALID_SESSION_INFO"
    /// The verification session has expired or its code has been used.
    case sessionExpired = "SESSION_EXPIRED"
    case missingCode = "MISSING_CODE"
    case invalidCode = "INVALID_CODE"
    case invalidTemporaryProof = "INVALID_TEMPORARY_PROOF"

    // MARK: App verification
    case missingAppCredential = "MISSING_APP_CREDENTIAL"
    /// The credential of an iOS or Android app is invalid. The iOS SDK opens the challenge page, the Android SDK gives
    /// up.
    case invalidAppCredential = "INVALID_APP_CREDENTIAL"
    /// The app must prove itself in another way. The Android SDK opens the challenge page.
    case alternateClientIdentifierRequired = "ALTERNATE_CLIENT_IDENTIFIER_REQUIRED"
    /// The challenge token of a web app is invalid.
    case captchaCheckFailed = "CAPTCHA_CHECK_FAILED"
    case missingIOSAppToken = "MISSING_IOS_APP_TOKEN"

    // MARK: Tokens
    case missingIDToken = "MISSING_ID_TOKEN"
    case invalidIDToken = "INVALID_ID_TOKEN"
    /// The session has ended. SDKs sign the user out.
    case tokenExpired = "TOKEN_EXPIRED"
    /// The operation requires a recent sign-in.
    case credentialTooOldLoginAgain = "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
    case missingGrantType = "MISSING_GRANT_TYPE"
    case invalidGrantType = "INVALID_GRANT_TYPE"
    case missingRefreshToken = "MISSING_REFRESH_TOKEN"
    case invalidRefreshToken = "INVALID_REFRESH_TOKEN"
    case missingCustomToken = "MISSING_CUSTOM_TOKEN"
    case invalidCustomToken = "INVALID_CUSTOM_TOKEN"
    /// The issuer of a custom token is not accepted.
    case credentialMismatch = "CREDENTIAL_MISMATCH"
    case claimsTooLarge = "CLAIMS_TOO_LARGE"
    case invalidClaims = "INVALID_CLAIMS"
    /// A custom claim has a reserved name.
    case forbiddenClaim = "FORBIDDEN_CLAIM"
    case missingSessionID = "MISSING_SESSION_ID"
    /// The user has no session with this id. An extension.
    case sessionNotFound = "SESSION_NOT_FOUND"

    // MARK: Accounts
    case userNotFound = "USER_NOT_FOUND"
    case userDisabled = "USER_DISABLED"
    /// Anonymous sign-in is disabled.
    case adminOnlyOperation = "ADMIN_ONLY_OPERATION"
    case unexpectedParameter = "UNEXPECTED_PARAMETER"
    case invalidRequestType = "INVALID_REQ_TYPE"
    case invalidProfileAttribute = "INVALID_PROFILE_ATTRIBUTE"
    case missingEmail = "MISSING_EMAIL"
    case invalidEmail = "INVALID_EMAIL"
    case emailExists = "EMAIL_EXISTS"
    case emailNotFound = "EMAIL_NOT_FOUND"
    case missingPassword = "MISSING_PASSWORD"
    case invalidPassword = "INVALID_PASSWORD"
    case weakPassword = "WEAK_PASSWORD"
    /// The e-mail address or the password is wrong; the response does not reveal which.
    case invalidLoginCredentials = "INVALID_LOGIN_CREDENTIALS"
    case passwordLoginDisabled = "PASSWORD_LOGIN_DISABLED"
    case missingIdentifier = "MISSING_IDENTIFIER"
    case invalidIdentifier = "INVALID_IDENTIFIER"
    case missingContinueURI = "MISSING_CONTINUE_URI"
    case invalidContinueURI = "INVALID_CONTINUE_URI"
    case invalidOOBCode = "INVALID_OOB_CODE"
    case expiredOOBCode = "EXPIRED_OOB_CODE"
    case missingOOBCode = "MISSING_OOB_CODE"
    case missingRequestType = "MISSING_REQ_TYPE"
    case missingNewEmail = "MISSING_NEW_EMAIL"
    /// The continue URL of an e-mail is not on an authorized domain.
    case unauthorizedDomain = "UNAUTHORIZED_DOMAIN"
    case invalidHostingLinkDomain = "INVALID_HOSTING_LINK_DOMAIN"
    case invalidDynamicLinkDomain = "INVALID_DYNAMIC_LINK_DOMAIN"
    case missingAndroidPackageName = "MISSING_ANDROID_PACKAGE_NAME"

    // MARK: Second factors
    case missingMFAPendingCredential = "MISSING_MFA_PENDING_CREDENTIAL"
    case invalidMFAPendingCredential = "INVALID_MFA_PENDING_CREDENTIAL"
    /// The end of a second-factor sign-in lacks the pending credential.
    case missingCredential = "MISSING_CREDENTIAL"
    case missingMFAEnrollmentID = "MISSING_MFA_ENROLLMENT_ID"
    case mfaEnrollmentNotFound = "MFA_ENROLLMENT_NOT_FOUND"
    case secondFactorExists = "SECOND_FACTOR_EXISTS"
    case secondFactorLimitExceeded = "SECOND_FACTOR_LIMIT_EXCEEDED"
    case unsupportedFirstFactor = "UNSUPPORTED_FIRST_FACTOR"
    case unverifiedEmail = "UNVERIFIED_EMAIL"

    // MARK: Administration
    case insufficientPermission = "INSUFFICIENT_PERMISSION"
    /// The administrator's credential is invalid or has expired.
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    case projectNotFound = "PROJECT_NOT_FOUND"
    case missingLocalID = "MISSING_LOCAL_ID"
    case invalidLocalID = "INVALID_LOCAL_ID"
    case duplicateLocalID = "DUPLICATE_LOCAL_ID"
    case invalidPageSelection = "INVALID_PAGE_SELECTION"
    case invalidDuration = "INVALID_DURATION"
    case invalidMFAPhoneNumber = "INVALID_MFA_PHONE_NUMBER"
    case invalidMFAEnrollmentID = "INVALID_MFA_ENROLLMENT_ID"
    case duplicateMFAEnrollmentID = "DUPLICATE_MFA_ENROLLMENT_ID"

    // MARK: Administration of many accounts
    case missingUserAccount = "MISSING_USER_ACCOUNT"
    case maximumUserCountExceeded = "MAXIMUM_USER_COUNT_EXCEEDED"
    case localIDListExceedsLimit = "LOCAL_ID_LIST_EXCEEDS_LIMIT"
    case duplicateEmail = "DUPLICATE_EMAIL"
    case duplicateRawID = "DUPLICATE_RAW_ID"
    case missingHashAlgorithm = "MISSING_HASH_ALGORITHM"
    case invalidHashAlgorithm = "INVALID_HASH_ALGORITHM"
    case invalidHashParameters = "INVALID_HASH_PARAMETERS"
    case invalidPasswordHash = "INVALID_PASSWORD_HASH"
    /// Only disabled accounts are deleted in a batch.
    case notDisabled = "NOT_DISABLED"

    // MARK: Configuration
    case invalidConfig = "INVALID_CONFIG"
    case invalidBlockingFunction = "INVALID_BLOCKING_FUNCTION"
    case invalidTestingPhoneNumber = "INVALID_TESTING_PHONE_NUMBER"
    case maximumTestPhoneNumberExceeded = "MAXIMUM_TEST_PHONE_NUMBER_EXCEEDED"
}

extension ErrorCode {
    /// The status of an error with this code. A failed blocking hook has a different status.
    var status: WireError.Status {
        switch self {
        case .unauthenticated: .unauthenticated
        case .permissionDenied: .forbidden
        case .projectNotFound: .notFound
        case .aborted: .aborted
        default: .badRequest
        }
    }

    /// Whether an error with this code may mean that an account, a session or another record does not exist. SDKs
    /// delete the user on some of these codes.
    var deniesExistence: Bool {
        switch self {
        case .sessionExpired, .invalidTemporaryProof, .tokenExpired, .sessionNotFound, .userNotFound, .emailNotFound,
            .invalidLoginCredentials, .invalidOOBCode, .expiredOOBCode, .invalidMFAPendingCredential,
            .mfaEnrollmentNotFound, .unauthenticated:
            true
        default: false
        }
    }

    /// Returns the message of an error: the code, and the explanation if there is one.
    func message(_ explanation: String?) -> String {
        guard let explanation else { return rawValue }
        return "\(rawValue) : \(explanation)"
    }
}
