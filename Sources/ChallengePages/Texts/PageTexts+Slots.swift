extension PageTexts {
    /// Returns the text that fills a slot in every page; nil for slots that each page fills itself.
    func text(in slot: Slot) -> String? {
        switch slot {
        case .tag, .direction, .title, .nonce, .state, .style, .head, .content, .data, .script, .module, .component,
            .exit, .ending, .cancelLink, .refusedReason, .refusedCode:
            nil
        case .workingHeading: workingHeading
        case .workingDetail: workingDetail
        case .doneHeading: doneHeading
        case .doneDetail: doneDetail
        case .returnToApp: returnToApp
        case .cancelledHeading: cancelledHeading
        case .failedHeading: failedHeading
        case .tryAgain: tryAgain
        case .backToApp: backToApp
        case .cancel: cancel
        case .noScript: noScript
        case .notLoaded: notLoaded
        case .serverFailed: serverFailed
        case .refusedHeading: refusedHeading
        case .refusedDetail: refusedDetail
        }
    }
}
