internal import DialtoneTexts

/// A placeholder in the page's HTML, filled for each response; written `{{name}}` in the files.
enum Slot: String, CaseIterable {
    case tag, direction, title, nonce, state, style, head, content, data, script, module
    case component, exit, ending
    case workingHeading, workingDetail, doneHeading, doneDetail, returnToApp, cancelledHeading, failedHeading
    case tryAgain, backToApp, cancel, noScript, notLoaded, serverFailed, cancelLink
    case refusedHeading, refusedDetail, refusedReason, refusedCode
}

extension Language {
    /// Returns the text whose name is that of a slot; empty for slots that each page fills itself.
    func text(in slot: Slot) -> String {
        SharedText(rawValue: slot.rawValue).map(text) ?? PageText(rawValue: slot.rawValue).map(text) ?? ""
    }
}
