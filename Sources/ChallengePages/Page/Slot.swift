/// A place in the page's HTML that is filled for each response; in the files it is written `{{name}}`.
enum Slot: String, CaseIterable {
    case tag, direction, title, nonce, state, style, content, data, script
    case workingHeading, workingDetail, doneHeading, doneDetail, returnToApp, cancelledHeading, failedHeading
    case tryAgain, backToApp, cancel, noScript, cancelLink
    case refusedHeading, refusedDetail, refusedReason, refusedCode
}
