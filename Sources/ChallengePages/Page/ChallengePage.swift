public import DialtoneTexts

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
