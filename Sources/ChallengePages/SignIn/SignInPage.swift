internal import Encodings

/// A hosted page: a component on a page of its own.
///
/// Tokens reach an app without being in any URL. An app of the page's own origin finds them in the browser's storage,
/// where the component keeps them. An app of another origin opens the page in a window, which hands them over by
/// `postMessage` to the origin of the continue URL only.
public struct SignInPage: Sendable {
    private let component: WebComponent
    private let apiKey: String
    private let continueURL: ContinueURL?
    private let language: Language
    private let provider: ChallengeProvider?
    private let nonce: Nonce

    /// Creates the page of a project.
    ///
    /// - Parameters:
    ///   - component: what the page shows.
    ///   - apiKey: the project's API key.
    ///   - continueURL: where users go on once they are signed in, or go back to; nil if they stay.
    ///   - language: the page's language.
    ///   - provider: the project's CAPTCHA provider; nil for a proof of work.
    ///   - nonce: the response's nonce.
    public init(
        _ component: WebComponent,
        apiKey: String,
        continueURL: ContinueURL?,
        language: Language,
        provider: ChallengeProvider?,
        nonce: Nonce
    ) {
        self.component = component
        self.apiKey = apiKey
        self.continueURL = continueURL
        self.language = language
        self.provider = provider
        self.nonce = nonce
    }

    /// The response's headers.
    public var headers: [(name: StaticString, value: String)] { document.headers }

    /// Returns the document in UTF-8.
    public func render() -> [UInt8] {
        let (content, script) = component.page
        return document.render(content) { slot in
            switch slot {
            case .tag: Markup(text: language.tag)
            case .nonce: Markup(text: nonce.text)
            case .noScript: Markup(text: language.texts.noScript)
            case .backToApp: Markup(text: language.texts.backToApp)
            case .data: Markup(json: data)
            case .module: Markup(text: ComponentModule.of(component).path)
            case .script: script
            default: Markup(text: "")
            }
        }
    }

    private var document: PageDocument {
        PageDocument(
            language: language,
            title: component.title(in: language),
            style: Self.style,
            nonce: nonce,
            provider: provider
        )
    }

    private var data: [UInt8] {
        JSONWriter.object { json in
            json.member("apiKey", apiKey)
            if let continueURL { json.member("continueUrl", continueURL.text) }
        }
    }

    private static let style = Markup(own: OwnScript.compact(PackageResources.sign_in_page_css))
}

extension WebComponent {
    /// The page's content, and its script.
    fileprivate var page: (content: Template, script: Markup) {
        switch self {
        case .signIn: Self.signInPage
        case .account: Self.accountPage
        }
    }

    private static let signInPage = page(PackageResources.sign_in_html, PackageResources.sign_in_page_js)
    private static let accountPage = page(PackageResources.account_html, PackageResources.account_page_js)

    private static func page(_ content: [UInt8], _ script: [UInt8]) -> (content: Template, script: Markup) {
        (Template(content), Markup(own: OwnScript.compact(script)))
    }
}
