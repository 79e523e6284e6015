internal import DialtoneTexts

extension ChallengePage {
    /// Returns the content of a slot of this page.
    func fill(_ slot: Slot) -> Markup {
        switch slot {
        case .nonce: Markup(text: nonce.text)
        case .state: Markup(text: state)
        case .content: innerContent
        case .data: Markup(json: data)
        case .script: script
        case .cancelLink: Markup(text: cancelLink?.url ?? "")
        case .refusedReason: Markup(text: refusal.map { language.text($0.reason.text) } ?? "")
        case .refusedCode: Markup(text: refusal?.reason.code ?? "")
        default: Markup(text: language.text(in: slot))
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

extension VerifyAppRefusal.Reason {
    fileprivate var text: PageText {
        switch self {
        case .unsupportedType, .malformed, .redirectURINotRegistered: .malformed
        case .unknownApp: .unknownApp
        case .bundleIDMismatch: .bundleIDMismatch
        case .schemeNotRegistered: .schemeNotRegistered
        }
    }
}
