extension ChallengePage {
    /// Returns the content of a slot of this page.
    func fill(_ slot: Slot) -> Markup {
        let texts = language.texts
        return switch slot {
        // Slots of the document, and of the components' pages.
        case .tag, .direction, .title, .style, .head, .module, .component, .exit, .ending, .notLoaded: Markup(text: "")
        case .nonce: Markup(text: nonce.text)
        case .state: Markup(text: state)
        case .content: innerContent
        case .data: Markup(json: data)
        case .script: script
        case .workingHeading: Markup(text: texts.workingHeading)
        case .workingDetail: Markup(text: texts.workingDetail)
        case .doneHeading: Markup(text: texts.doneHeading)
        case .doneDetail: Markup(text: texts.doneDetail)
        case .returnToApp: Markup(text: texts.returnToApp)
        case .cancelledHeading: Markup(text: texts.cancelledHeading)
        case .failedHeading: Markup(text: texts.failedHeading)
        case .tryAgain: Markup(text: texts.tryAgain)
        case .backToApp: Markup(text: texts.backToApp)
        case .cancel: Markup(text: texts.cancel)
        case .noScript: Markup(text: texts.noScript)
        case .serverFailed: Markup(text: texts.serverFailed)
        case .cancelLink: Markup(text: cancelLink?.url ?? "")
        case .refusedHeading: Markup(text: texts.refusedHeading)
        case .refusedDetail: Markup(text: texts.refusedDetail)
        case .refusedReason: Markup(text: refusal.map { texts.reason($0.reason) } ?? "")
        case .refusedCode: Markup(text: refusal?.reason.code ?? "")
        }
    }

    private var refusal: VerifyAppRefusal? {
        guard case .refused(let refusal) = content else { return nil }
        return refusal
    }

    /// What the page begins with, as its style sheet and its script name it.
    private var state: String {
        switch content {
        case .proofOfWork, .provider: "working"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    private var script: Markup {
        switch content {
        case .proofOfWork, .provider: PageAssets.challengeScript
        case .refused: PageAssets.refusedScript
        case .failed: Markup(text: "")
        }
    }

    private var innerContent: Markup {
        switch content {
        case .proofOfWork, .provider: return Markup(own: PageAssets.challenge.render(fill))
        case .failed: return Markup(own: PageAssets.failed.render(fill))
        case .refused(let refusal):
            let back = refusal.callback == nil ? [] : PageAssets.refusalWithLink.render(fill)
            return Markup(own: PageAssets.refused.render(fill) + back)
        }
    }

    /// The link that leaves without a token, because the user cancels or the request is rejected.
    private var cancelLink: DeepLink? {
        switch content {
        case .proofOfWork(_, let callback), .provider(_, let callback): callback.link(error: .cancelled)
        case .refused(let refusal): refusal.callback?.link(error: refusal.error)
        case .failed: nil
        }
    }
}

extension PageTexts {
    fileprivate func reason(_ reason: VerifyAppRefusal.Reason) -> String {
        switch reason {
        case .unsupportedType, .malformed, .redirectURINotRegistered: malformed
        case .unknownApp: unknownApp
        case .bundleIDMismatch: bundleIDMismatch
        case .schemeNotRegistered: schemeNotRegistered
        }
    }
}
