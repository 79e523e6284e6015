internal import DialtoneTexts
internal import Foundation

/// The texts of a sign-in by phone, in one of 16 languages: Arabic, Chinese (traditional and simplified), English,
/// French, German, Hebrew, Hindi, Indonesian, Italian, Japanese, Korean, Portuguese, Russian, Spanish and Turkish. Apps
/// can replace each text.
public struct PhoneSignInTexts: Sendable {
    /// The language of the texts and of the names of countries, as a BCP 47 tag.
    public let language: String
    /// The heading of the first step.
    public var numberTitle: String
    /// The label of the number's field.
    public var numberLabel: String
    /// The label for the country or region of numbers without a country code.
    public var regionLabel: String
    /// The label of the search field in the list of countries.
    public var searchLabel: String
    /// The text that is shown if no country is found.
    public var noRegion: String
    /// The button that closes the list of countries.
    public var cancelButton: String
    /// The notice that users see before a message is sent.
    public var notice: String
    /// The button that sends the code.
    public var sendButton: String
    /// The heading of the second step.
    public var codeTitle: String
    /// Returns the notice of the second step, for a number.
    public var codeNotice: @Sendable (_ number: String) -> String
    /// The label of the code's field.
    public var codeLabel: String
    /// The button that signs in.
    public var verifyButton: String
    /// The button that sends the code again.
    public var resendButton: String
    /// Returns the text of this button while the user has to wait some seconds.
    public var resendWait: @Sendable (_ seconds: Int) -> String
    /// The button that returns to the number.
    public var changeNumberButton: String
    /// What a screen reader says while an operation is in progress.
    public var waiting: String
    /// The text that is shown after the sign-in.
    public var signedIn: String
    /// Returns the text that describes a problem.
    public var problem: @Sendable (PhoneSignInProblem) -> String
    /// Returns the text with the reference that users pass on to support.
    public var reference: @Sendable (_ reference: String) -> String

    /// Creates the texts of a language.
    ///
    /// - Parameter language: a language tag such as `de` or `zh-TW`, or a locale identifier; nil for the language in
    ///   which the system shows the app. If the language is not supported, the texts are English.
    public init(language: String? = nil) {
        self.init(language.map(Language.init(matching:)) ?? .ofApp)
    }

    init(_ language: Language) {
        self.language = language.rawValue
        numberTitle = language.text(.title)
        numberLabel = language.text(.number)
        regionLabel = language.text(.country)
        searchLabel = language.text(.search)
        noRegion = language.text(.noCountry)
        cancelButton = language.text(.cancel)
        notice = language.text(.notice)
        sendButton = language.text(.send)
        codeTitle = language.text(.codeTitle)
        codeNotice = { Self.filled(language.text(.codeSent), "number", Self.leftToRight($0)) }
        codeLabel = language.text(.code)
        verifyButton = language.text(.verify)
        resendButton = language.text(.resend)
        resendWait = { Self.filled(language.text(.resendIn), "time", language.duration($0)) }
        changeNumberButton = language.text(.changeNumber)
        waiting = language.text(.workingHeading)
        signedIn = language.text(.doneTitle)
        problem = { Self.text(of: $0, language) }
        reference = { Self.filled(language.text(.reference), "reference", Self.leftToRight($0)) }
    }

    /// Returns the text for users that describes an error. The error's own description is for developers.
    public func description(of error: any Error) -> String { problem(PhoneSignInProblem(error)) }

    /// Replaces a placeholder such as `{number}`.
    private static func filled(_ text: String, _ placeholder: String, _ value: String) -> String {
        text.replacingOccurrences(of: "{\(placeholder)}", with: value)
    }

    /// Isolates a number or a reference, which reads from left to right in every text (Unicode's LRI and PDI).
    static func leftToRight(_ text: String) -> String { "\u{2066}\(text)\u{2069}" }

    /// Returns the text of a problem: what is wrong, and what to do.
    private static func text(of problem: PhoneSignInProblem, _ language: Language) -> String {
        switch problem.code {
        case .missingPhoneNumber, .missingVerificationCode: language.text(.missing)
        case .invalidPhoneNumber: language.text(.invalidNumber)
        case .invalidVerificationCode: language.text(.wrongCode)
        case .sessionExpired, .invalidVerificationID, .missingVerificationID: language.text(.codeExpired)
        case .tooManyRequests, .quotaExceeded:
            problem.retryAfter.map { wait in
                // The wait has an upper bound, so the conversion cannot fail.
                filled(language.text(.tooManyRequestsFor), "time", language.duration(Int(wait.rounded(.up))))
            } ?? language.text(.tooManyRequests)
        case .networkError: language.text(.networkFailed)
        case .operationNotAllowed: language.text(.regionNotAllowed)
        case .userDisabled: language.text(.disabled)
        case .unsupportedFirstFactor, .secondFactorRequired: language.text(.secondFactorUser)
        case .webContextCancelled, .captchaCheckFailed, .missingAppCredential, .invalidAppCredential, .appNotVerified:
            language.text(.checkFailed)
        case .blockingCloudFunctionError, .adminRestrictedOperation: language.text(.refused)
        case .keychainError: language.text(.notSaved)
        case .wrongPassword, .invalidCredential, .userNotFound: language.text(.wrongPassword)
        case .invalidEmail: language.text(.invalidEmail)
        case .credentialAlreadyInUse: language.text(.numberTaken)
        case .userMismatch: language.text(.otherAccount)
        case .requiresRecentLogin, .userTokenExpired, .invalidUserToken: language.text(.signInAgain)
        case .secondFactorAlreadyEnrolled: language.text(.factorExists)
        case .maximumSecondFactorCountExceeded: language.text(.factorLimit)
        case .unverifiedEmail: language.text(.unverifiedEmail)
        default: language.text(.serverFailed)
        }
    }
}

extension Language {
    /// The language in which the system shows the app: in any other language, the sign-in would not match the app's
    /// other views.
    static var ofApp: Language { Language(matching: Bundle.main.preferredLocalizations.first) }

    /// Returns a duration in words, in seconds, minutes or hours, such as `2 minutes`. The server's sign-in component
    /// chooses the unit in the same way. On systems without a formatter for it, returns the duration as a clock shows
    /// it.
    func duration(_ seconds: Int) -> String {
        let size = seconds < 90 ? 1 : seconds < 5_400 ? 60 : 3_600
        let count = (seconds + size - 1) / size
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *) {
            let unit: Duration.UnitsFormatStyle.Unit = size == 1 ? .seconds : size == 60 ? .minutes : .hours
            let style = Duration.UnitsFormatStyle(allowedUnits: [unit], width: .wide)
            return Duration.seconds(count * size).formatted(style.locale(Locale(identifier: rawValue)))
        }
        return Self.clock(seconds)
    }

    /// Returns a duration in minutes and seconds, and in hours if it is that long: `1:05`, `2:00:00`.
    static func clock(_ seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, String(format: "%02d", seconds % 60))
        return minutes < 60 ? "\(minutes):\(rest)" : "\(minutes / 60):\(String(format: "%02d", minutes % 60)):\(rest)"
    }
}
