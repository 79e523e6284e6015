public import DialtoneTexts
internal import Encodings

/// The page that an app opens to get a challenge token, complete in one document. It solves the challenge, then opens
/// the app with the result.
///
/// The event id, inside links that the server builds, is the only part of the request's query in the page. The page
/// sets no cookie and stores nothing.
public struct ChallengePage: Sendable {
    enum Content: Sendable {
        case proofOfWork(ProofOfWorkChallenge, Callback)
        case provider(ChallengeProvider, Callback)
        case refused(VerifyAppRefusal)
        case failed
    }

    let content: Content
    let language: Language
    let nonce: Nonce

    /// Creates a page with a proof of work, which needs no user interaction.
    public init(challenge: ProofOfWorkChallenge, callback: Callback, language: Language, nonce: Nonce) {
        self.init(content: .proofOfWork(challenge, callback), language: language, nonce: nonce)
    }

    /// Creates a page with a provider's widget.
    public init(provider: ChallengeProvider, callback: Callback, language: Language, nonce: Nonce) {
        self.init(content: .provider(provider, callback), language: language, nonce: nonce)
    }

    /// Creates a page that shows why a request is rejected, and returns the error to the app if possible.
    public init(refusal: VerifyAppRefusal, language: Language, nonce: Nonce) {
        self.init(content: .refused(refusal), language: language, nonce: nonce)
    }

    /// Creates a page in place of any hosted page that the server cannot answer for now. It has a link to try again.
    public init(failureIn language: Language, nonce: Nonce) {
        self.init(content: .failed, language: language, nonce: nonce)
    }

    private init(content: Content, language: Language, nonce: Nonce) {
        self.content = content
        self.language = language
        self.nonce = nonce
    }

    /// The response's headers. The content security policy is valid for this page's nonce only.
    public var headers: [(name: StaticString, value: String)] { document.headers }

    /// Returns the document in UTF-8.
    public func render() -> [UInt8] { document.render(PageAssets.frame, fill) }

    private var document: PageDocument {
        PageDocument(
            language: language,
            title: title,
            style: PageAssets.style,
            nonce: nonce,
            provider: provider
        )
    }

    private var title: String {
        switch content {
        case .proofOfWork, .provider: language.text(.verificationTitle)
        case .refused: language.text(.refusedHeading)
        case .failed: language.text(.failedHeading)
        }
    }

    var provider: ChallengeProvider? {
        guard case .provider(let provider, _) = content else { return nil }
        return provider
    }
}

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

extension ChallengePage {
    /// The data for the page's script: the challenge or the widget, the texts, and the links to open on failure.
    var data: [UInt8] {
        JSONWriter.object { json in
            switch content {
            case .proofOfWork(let challenge, let callback):
                json.object("challenge") { challenge.write(to: &$0) }
                writeEndings(to: &json, callback)
            case .provider(let provider, let callback):
                json.object("provider") { provider.write(to: &$0, language) }
                writeEndings(to: &json, callback)
            case .refused, .failed: break
            }
        }
    }

    private func writeEndings(to json: inout JSONWriter, _ callback: Callback) {
        json.member("prefix", callback.prefix)
        json.object("texts") { json in
            json.member("checkFailed", language.text(.checkFailed))
            json.member("networkRequestFailed", language.text(.networkFailed))
            json.member("internalError", language.text(.serverFailed))
            json.member("tooManyRequests", language.text(.tooManyRequests))
            json.member("confirm", language.text(.confirm))
        }
        json.object("links") { json in
            json.member("checkFailed", callback.link(error: .checkFailed).url)
            json.member("networkRequestFailed", callback.link(error: .networkRequestFailed).url)
            json.member("internalError", callback.link(error: .internalError).url)
            json.member("tooManyRequests", callback.link(error: .tooManyRequests).url)
        }
    }
}
