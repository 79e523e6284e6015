/// All texts of the page in one language. Each language is a value of its own, so that no text can be missing.
struct PageTexts: Sendable, Equatable {
    /// The document's title.
    let title: String

    let workingHeading: String
    /// Shown while the page works without the user.
    let workingDetail: String
    /// Shown while a provider's widget waits for the user.
    let confirmDetail: String

    let doneHeading: String
    let doneDetail: String
    /// The link to the app with a token.
    let returnToApp: String
    let cancelledHeading: String

    let failedHeading: String
    let checkFailed: String
    let networkFailed: String
    let serverFailed: String
    let tooManyRequests: String

    let tryAgain: String
    /// The link to the app without a token.
    let backToApp: String
    let cancel: String
    let noScript: String
    /// Shown in place of a component whose module could not be loaded, or is too new for the browser.
    let notLoaded: String

    let refusedHeading: String
    /// Precedes the reason, which only the app's developer can fix.
    let refusedDetail: String
    let unknownApp: String
    let bundleIDMismatch: String
    let schemeNotRegistered: String
    let malformed: String
}
