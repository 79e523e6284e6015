/// The texts of the sign-in component, by the names that its script uses; Dialtone's own client shares most of them.
///
/// Placeholders are in braces: `{number}`. Each language is a `switch` over all names, so no text can be missing, and
/// a linker omits the texts that a program does not use.
public enum SharedText: String, Sendable, CaseIterable {
    case title, number, country, search, noCountry, send, checking, codeTitle, codeSent, code, verify, resend
    case callMe, sendBy
    case resendIn, resent, changeNumber, email, password, usePassword, usePhone, factorTitle, factorChoice
    case factorPhone, factorApp, appDetail, recovery, recoveryDetail, otherWay, startOver, doneTitle, signOut, offline
    case invalidNumber, tooShort, tooLong, regionNotAllowed, notAllowed, tooManyRequestsFor, secondFactorUser
    case disabled, wrongCode, attemptsLeft, codeIncomplete, codeExpired, attemptsSpent, wrongPassword, invalidEmail
    case missing, numberRecycled, refused, startAgain, linkTitle, confirmTitle, numberTaken, otherAccount, signInAgain
    case factorExists, factorLimit, unverifiedEmail, reference, confirm, networkFailed, serverFailed, checkFailed
    case tooManyRequests, tryAgain, forgotPassword, resetSent, linkSent, sendLink, useLink, linkExpired, emailTaken
    // Not the component's: texts of the challenge page and the client, and of the client alone.
    case workingHeading, cancel
    case notice, notSaved

    /// The names of the component's texts, in the order in which it gets them.
    public static let ofComponent = allCases.prefix { $0 != .workingHeading }
}

extension Language {
    /// Returns a text in this language.
    public func text(_ text: SharedText) -> String {
        switch self {
        case .english: text.english
        case .portuguese: text.portuguese
        case .hebrew: text.hebrew
        case .traditionalChinese: text.traditionalChinese
        case .simplifiedChinese: text.simplifiedChinese
        case .spanish: text.spanish
        case .italian: text.italian
        case .french: text.french
        case .german: text.german
        case .arabic: text.arabic
        case .hindi: text.hindi
        case .japanese: text.japanese
        case .korean: text.korean
        case .russian: text.russian
        case .turkish: text.turkish
        case .indonesian: text.indonesian
        }
    }
}
