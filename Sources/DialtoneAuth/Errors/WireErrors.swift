internal import Foundation

/// The protocol's error names, and the codes that apps receive for them.
enum WireErrors {
    /// Returns the code of an error name; nil if it has none.
    static func code(of word: String) -> AuthErrorCode? { codes[word] }

    private static let codes: [String: AuthErrorCode] = [
        "INVALID_PHONE_NUMBER": .invalidPhoneNumber, "MISSING_PHONE_NUMBER": .missingPhoneNumber,
        "INVALID_CODE": .invalidVerificationCode, "MISSING_CODE": .missingVerificationCode,
        "INVALID_SESSION_INFO": .invalidVerificationID, "MISSING_SESSION_INFO": .missingVerificationID,
        "SESSION_EXPIRED": .sessionExpired, "INVALID_TEMPORARY_PROOF": .invalidCredential,
        "PHONE_NUMBER_EXISTS": .credentialAlreadyInUse,
        "MISSING_APP_CREDENTIAL": .missingAppCredential, "INVALID_APP_CREDENTIAL": .invalidAppCredential,
        "MISSING_IOS_APP_TOKEN": .missingAppToken, "APP_NOT_VERIFIED": .appNotVerified,
        "CAPTCHA_CHECK_FAILED": .captchaCheckFailed,
        "QUOTA_EXCEEDED": .quotaExceeded, "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed, "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
        "PASSWORD_LOGIN_DISABLED": .operationNotAllowed, "INSUFFICIENT_PERMISSION": .adminRestrictedOperation,
        "USER_DISABLED": .userDisabled, "USER_NOT_FOUND": .userNotFound,
        "INVALID_ID_TOKEN": .invalidUserToken, "MISSING_ID_TOKEN": .invalidUserToken,
        "TOKEN_EXPIRED": .userTokenExpired, "INVALID_REFRESH_TOKEN": .userTokenExpired,
        "MISSING_REFRESH_TOKEN": .userTokenExpired,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
        "EMAIL_EXISTS": .emailAlreadyInUse, "INVALID_EMAIL": .invalidEmail, "INVALID_IDENTIFIER": .invalidEmail,
        "MISSING_EMAIL": .missingEmail, "WEAK_PASSWORD": .weakPassword, "MISSING_PASSWORD": .weakPassword,
        "INVALID_PASSWORD": .wrongPassword, "EMAIL_NOT_FOUND": .userNotFound,
        "INVALID_LOGIN_CREDENTIALS": .invalidCredential,
        "INVALID_CUSTOM_TOKEN": .invalidCustomToken, "MISSING_CUSTOM_TOKEN": .invalidCustomToken,
        "CREDENTIAL_MISMATCH": .customTokenMismatch,
        "UNSUPPORTED_FIRST_FACTOR": .unsupportedFirstFactor, "UNVERIFIED_EMAIL": .unverifiedEmail,
        "SECOND_FACTOR_EXISTS": .secondFactorAlreadyEnrolled,
        "SECOND_FACTOR_LIMIT_EXCEEDED": .maximumSecondFactorCountExceeded,
        "MFA_ENROLLMENT_NOT_FOUND": .multiFactorInfoNotFound, "MISSING_MFA_ENROLLMENT_ID": .missingMultiFactorInfo,
        "INVALID_MFA_PENDING_CREDENTIAL": .invalidMultiFactorSession,
        "MISSING_MFA_PENDING_CREDENTIAL": .missingMultiFactorSession,
        "MISSING_CREDENTIAL": .missingMultiFactorSession,
        "UNAUTHORIZED_DOMAIN": .unauthorizedDomain, "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
        "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation, "TENANT_ID_MISMATCH": .tenantIDMismatch,
        "INVALID_REQ_TYPE": .invalidReqType, "EXPIRED_OOB_CODE": .expiredActionCode,
        "INVALID_OOB_CODE": .invalidActionCode, "MISSING_OOB_CODE": .invalidActionCode,
        "INVALID_CONTINUE_URI": .invalidContinueURI, "MISSING_CONTINUE_URI": .missingContinueURI,
        "MISSING_IOS_BUNDLE_ID": .missingIosBundleID, "MISSING_ANDROID_PACKAGE_NAME": .missingAndroidPackageName,
        "INVALID_HOSTING_LINK_DOMAIN": .invalidHostingLinkDomain,
        "INVALID_DYNAMIC_LINK_DOMAIN": .invalidHostingLinkDomain, "MISSING_NEW_EMAIL": .missingEmail,
        "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail, "INVALID_SENDER": .invalidSender,
        "INVALID_MESSAGE_PAYLOAD": .invalidMessagePayload,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
    ]

    /// The longest explanation from a server that an error repeats, in Unicode scalars, because one character may have
    /// any number of them.
    private static let longestExplanation = 300

    /// Returns the error of a response whose status is not 2xx.
    ///
    /// Failures of the server and rate limits of proxies have no error name. They never end a session.
    static func error(status: Int, body: Data, _ details: ResponseDetails) -> NSError {
        switch status {
        case 300..<400:
            return AuthErrorCode.networkError.error(
                "The server redirects to another URL. Configure the URL at which Dialtone itself responds.",
                details
            )
        case 429: return AuthErrorCode.tooManyRequests.error(nil, details)
        case 500...:
            return AuthErrorCode.networkError.error("The server is unavailable (status \(status)). Try again.", details)
        default: break
        }
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: body) else {
            return AuthErrorCode.internalError.error(
                "The response is not from Dialtone (status \(status)). Check the URL.",
                details
            )
        }
        let (word, explanation) = envelope.parts
        if let code = code(of: word) { return code.error(explanation.map(bounded), details) }
        if envelope.isAboutAPIKey { return AuthErrorCode.invalidAPIKey.error(nil, details) }
        return AuthErrorCode.internalError.error(bounded(envelope.error.message), details)
    }

    /// Returns the beginning of a text, without characters that would start another log line or hide text in it.
    private static func bounded(_ text: String) -> String {
        let isVisible = { (scalar: Unicode.Scalar) in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.lazy.filter(isVisible).prefix(longestExplanation)))
    }

    private struct Envelope: Decodable {
        struct Content: Decodable {
            let message: String
            let status: String?
            let errors: [Item]?
        }

        struct Item: Decodable {
            let reason: String?
        }

        let error: Content

        /// The error name, and what follows the first colon.
        var parts: (word: String, explanation: String?) {
            let parts = error.message.split(separator: ":", maxSplits: 1)
            let word = parts.first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
            let explanation = parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            return (word, explanation.isEmpty ? nil : explanation)
        }

        var isAboutAPIKey: Bool {
            error.errors?.contains { $0.reason?.hasPrefix("keyInvalid") == true } == true
                || error.status == "PERMISSION_DENIED"
        }
    }
}
