/// The texts of hosted pages that nothing else has.
public enum PageText: String, Sendable, CaseIterable {
    // The account component.
    case accountTitle, name, sessions, thisSession, unknownDevice, signedInAt, usedAt, otherNetwork, endSession
    case sessionEnded, signOutEverywhere, everywhereDetail, secondSteps, secondStepsDetail, noSecondStep, addedAt
    case remove, removeTitle, removeDetail, factorRemoved, addPhone, addApp, newCodes, newCodesDetail, scan, qrCode
    case keyDetail, copy, copied, factorAdded, codesTitle, codesDetail, codesSaved, deleteAccount, deleteTitle
    case deleteDetail, deleted, sessionOver, verifyEmail, linkOpened, changeEmail, addEmail, emailConfirmed
    // The challenge page. `notLoaded` is shown in place of a component whose module could not be loaded.
    case verificationTitle, workingDetail, doneHeading, doneDetail, returnToApp, cancelledHeading, failedHeading
    case backToApp, noScript, notLoaded, refusedHeading, refusedDetail, unknownApp, bundleIDMismatch
    case schemeNotRegistered, malformed
    // The action page.
    case resetTitle, newPassword, showPassword, weakPassword, recoverTitle, passwordChanged, emailRestored

    /// The names of the account component's texts, in the order in which it gets them.
    public static let ofAccount = allCases.prefix { $0 != .verificationTitle }
}

extension Language {
    /// Returns a text in this language.
    public func text(_ text: PageText) -> String {
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
