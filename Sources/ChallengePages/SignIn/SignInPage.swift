internal import Encodings

/// The hosted sign-in page: the component on a page of its own.
///
/// Tokens reach an app without being in any URL. An app of the page's own origin finds them in the browser's storage,
/// where the component keeps them. An app of another origin opens the page in a window, which hands them over by
/// `postMessage` to the origin of the continue URL only.
public struct SignInPage: Sendable {
    private let apiKey: String
    private let continueURL: ContinueURL?
    private let language: Language
    private let provider: ChallengeProvider?
    private let nonce: Nonce

    /// Creates the page of a project.
    ///
    /// - Parameters:
    ///   - apiKey: the project's API key.
    ///   - continueURL: where users go on once they are signed in; nil if they stay.
    ///   - language: the page's language.
    ///   - provider: the project's CAPTCHA provider; nil for a proof of work.
    ///   - nonce: the response's nonce.
    public init(
        apiKey: String,
        continueURL: ContinueURL?,
        language: Language,
        provider: ChallengeProvider?,
        nonce: Nonce
    ) {
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
        document.render(Self.content) { slot in
            switch slot {
            case .tag: Markup(text: language.tag)
            case .nonce: Markup(text: nonce.text)
            case .noScript: Markup(text: language.texts.noScript)
            case .data: Markup(json: data)
            case .module: Markup(text: SignInModule.path)
            case .script: Self.script
            default: Markup(text: "")
            }
        }
    }

    private var document: PageDocument {
        PageDocument(language: language, title: title, style: Self.style, nonce: nonce, provider: provider)
    }

    private var title: String {
        guard case .string(let title)? = SignInTexts.texts(in: language)["title"] else { return "" }
        return title
    }

    private var data: [UInt8] {
        JSONWriter.object { json in
            json.member("apiKey", apiKey)
            if let continueURL { json.member("continueUrl", continueURL.text) }
        }
    }

    private static let content = Template(PackageResources.sign_in_html)
    private static let style = Markup(own: OwnScript.compact(PackageResources.sign_in_page_css))
    private static let script = Markup(own: OwnScript.compact(PackageResources.sign_in_page_js))
}
