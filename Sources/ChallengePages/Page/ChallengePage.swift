/// The page that an app opens to prove itself, complete in one document: it works, then opens the app with the answer.
///
/// Nothing of the request's query stands in it but the event's id, inside links that the server makes. It sets no cookie and stores
/// nothing.
public struct ChallengePage: Sendable {
    enum Content: Sendable {
        case proofOfWork(ProofOfWorkChallenge, Callback)
        case provider(ChallengeProvider, Callback)
        case refused(VerifyAppRefusal)
    }

    let content: Content
    let language: Language
    let nonce: Nonce

    /// The page that proves the app by a proof of work and asks the user nothing.
    public init(challenge: ProofOfWorkChallenge, callback: Callback, language: Language, nonce: Nonce) {
        self.init(content: .proofOfWork(challenge, callback), language: language, nonce: nonce)
    }

    /// The page that shows a provider's widget.
    public init(provider: ChallengeProvider, callback: Callback, language: Language, nonce: Nonce) {
        self.init(content: .provider(provider, callback), language: language, nonce: nonce)
    }

    /// The page that says what is wrong with a request, and tells the app too where that is possible.
    public init(refusal: VerifyAppRefusal, language: Language, nonce: Nonce) {
        self.init(content: .refused(refusal), language: language, nonce: nonce)
    }

    private init(content: Content, language: Language, nonce: Nonce) {
        self.content = content
        self.language = language
        self.nonce = nonce
    }

    /// The response's headers. The policy holds for this page's nonce and for no other's.
    public var headers: [(name: StaticString, value: String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Language", language.tag),
            ("Content-Security-Policy", ContentSecurityPolicy.text(nonce: nonce, provider: provider)),
            ("Cache-Control", "no-store"),
        ]
    }

    /// The document, in UTF-8.
    public func render() -> [UInt8] {
        PageAssets.frame.render(fill)
    }

    var provider: ChallengeProvider? {
        guard case .provider(let provider, _) = content else { return nil }
        return provider
    }
}
