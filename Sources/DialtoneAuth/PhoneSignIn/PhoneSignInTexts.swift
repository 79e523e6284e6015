/// The texts of a sign-in by phone, in English. Apps replace them with their own, such as translated ones.
public struct PhoneSignInTexts: Sendable {
    /// The heading of the first step.
    public var numberTitle = "Sign in with your phone"
    /// The label of the number's field.
    public var numberLabel = "Phone number"
    /// What users are told before a message is sent.
    public var notice = "We will send you a text message with a code. Your carrier may charge for it."
    /// The button that sends the code.
    public var sendButton = "Send code"
    /// The heading of the second step.
    public var codeTitle = "Enter the code"
    /// Returns what the second step says about a number.
    public var codeNotice: @Sendable (_ number: String) -> String = { "We sent a code to \($0)." }
    /// The label of the code's field.
    public var codeLabel = "Verification code"
    /// The button that signs in.
    public var verifyButton = "Sign in"
    /// The button that sends the code once more.
    public var resendButton = "Send the code again"
    /// Returns the same button's text while it has to be waited for some seconds.
    public var resendWait: @Sendable (_ seconds: Int) -> String = { "Send the code again in \(duration($0))" }
    /// The button that leads back to the number.
    public var changeNumberButton = "Change number"
    /// What a screen reader says while something is under way.
    public var waiting = "Please wait"
    /// What is shown after the sign-in.
    public var signedIn = "You are signed in."
    /// Returns a problem in words.
    public var problem: @Sendable (PhoneSignInProblem) -> String = englishText
    /// Returns what users tell the support about a problem.
    public var reference: @Sendable (_ reference: String) -> String = { "Reference: \($0)" }

    /// Creates the English texts.
    public init() {}

    /// Returns a problem in English words: what is wrong, and what to do.
    private static func englishText(_ problem: PhoneSignInProblem) -> String {
        switch problem.code {
        case .missingPhoneNumber: "Enter your phone number."
        case .invalidPhoneNumber: "This is not a valid phone number. Check it, and add the country code, such as +1."
        case .missingVerificationCode: "Enter the code of the message."
        case .invalidVerificationCode: "The code is wrong. Check it, or have it sent again."
        case .sessionExpired, .invalidVerificationID, .missingVerificationID:
            "The code has expired. Have it sent again."
        case .tooManyRequests, .quotaExceeded:
            "There were too many attempts. Try again \(wait(problem.retryAfter))."
        case .networkError: "The server could not be reached. Check your connection and try again."
        case .operationNotAllowed: "Messages cannot be sent to this number."
        case .userDisabled: "This account is disabled."
        case .unsupportedFirstFactor, .secondFactorRequired:
            "This account has a second factor. Sign in with its e-mail address."
        case .webContextCancelled: "The check was closed before it was done. Try again."
        case .blockingCloudFunctionError, .adminRestrictedOperation: "You cannot sign in here."
        case .keychainError: "The sign-in could not be saved on this device. Try again."
        default: "Something went wrong. Try again later."
        }
    }

    private static func wait(_ seconds: Double?) -> String {
        // The server's wait has an upper bound, so it can be converted.
        seconds.map { "in \(duration(Int($0.rounded(.up))))" } ?? "later"
    }

    /// Returns a time in the largest unit of which it has two, or in seconds.
    static func duration(_ seconds: Int) -> String {
        let units = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)]
        let (unit, size) = units.first { seconds >= 2 * $0.1 } ?? ("second", 1)
        let count = (seconds + size - 1) / size
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
