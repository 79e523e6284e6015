/// A placeholder in the page's HTML, filled for each response; written `{{name}}` in the files.
enum Slot: String, CaseIterable {
    case tag, direction, title, nonce, state, style, head, content, data, script, module
    case component, exit, ending
    case workingHeading, workingDetail, doneHeading, doneDetail, returnToApp, cancelledHeading, failedHeading
    case tryAgain, backToApp, cancel, noScript, notLoaded, serverFailed, cancelLink
    case refusedHeading, refusedDetail, refusedReason, refusedCode
}
