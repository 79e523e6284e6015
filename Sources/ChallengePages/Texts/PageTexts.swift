/// Everything that the page says, in one language. Each language is a value of its own, so that none can lack a text.
struct PageTexts: Sendable, Equatable {
    /// The document's title.
    let title: String

    let workingHeading: String
    /// Where the page works by itself.
    let workingDetail: String
    /// Where a provider's widget waits for the user.
    let confirmDetail: String

    let doneHeading: String
    let doneDetail: String
    /// Leads to the app with a token.
    let returnToApp: String
    let cancelledHeading: String

    let failedHeading: String
    let checkFailed: String
    let networkFailed: String
    let serverFailed: String
    let tooManyRequests: String

    let tryAgain: String
    /// Leads to the app without a token.
    let backToApp: String
    let cancel: String
    let noScript: String

    let refusedHeading: String
    /// Stands before the reason, which only the app's developer can do something about.
    let refusedDetail: String
    let unknownApp: String
    let bundleIDMismatch: String
    let schemeNotRegistered: String
    let malformed: String
}
