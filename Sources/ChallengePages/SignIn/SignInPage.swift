internal import DialtoneTexts
internal import Encodings
public import PhoneAuth

/// A hosted page: a component on a page of its own.
///
/// Tokens reach an app without being in any URL. An app of the page's own origin finds them in the browser's storage,
/// where the component keeps them. An app of another origin opens the page in a window, which hands them over by
/// `postMessage` to the origin of the continue URL only. Any app, with a window or without, may instead get a one-time
/// code by a redirect, which it exchanges for tokens.
public struct SignInPage: Sendable {
    /// Where users go on once they are signed in.
    public enum Destination: Sendable {
        /// Nowhere.
        case none
        /// To a URL, which gets no data.
        case url(ContinueURL)
        /// To an app, with a code.
        case app(AuthorizationRequest)
    }

    private let configuration: SignInConfiguration
    private let apiKey: String
    private let destination: Destination
    private let nonce: Nonce

    /// Creates the page of a project.
    ///
    /// - Parameters:
    ///   - configuration: what the page shows, which its document contains.
    ///   - apiKey: the project's API key.
    ///   - destination: where users go on once they are signed in, or go back to.
    ///   - nonce: the response's nonce.
    public init(_ configuration: SignInConfiguration, apiKey: String, destination: Destination, nonce: Nonce) {
        self.configuration = configuration
        self.apiKey = apiKey
        self.destination = destination
        self.nonce = nonce
    }

    /// The response's headers.
    public var headers: [(name: StaticString, value: String)] { document.headers }

    /// Returns the document in UTF-8.
    public func render() -> [UInt8] {
        document.render(Self.content, head: Self.head, fill)
    }

    private func fill(_ slot: Slot) -> Markup {
        switch slot {
        case .tag: Markup(text: language.tag)
        case .nonce: Markup(text: nonce.text)
        case .component: Markup(own: configuration.component.page.content.render(fill))
        case .exit: Markup(own: exit?.link.render(fill) ?? [])
        case .cancelLink: Markup(text: exit?.url ?? "")
        case .data: Markup(json: data)
        case .module: Markup(text: ComponentModule.of(configuration.component).path)
        case .script: configuration.component.page.script
        case .ending: Self.ending
        default: Markup(text: language.text(in: slot))
        }
    }

    private var language: Language { configuration.language }

    private var document: PageDocument {
        PageDocument(
            language: language,
            title: configuration.component.title(in: language),
            style: Self.style,
            nonce: nonce,
            provider: configuration.provider
        )
    }

    private var data: [UInt8] {
        JSONWriter.object { json in
            json.member("apiKey", apiKey)
            json.object("configuration") { configuration.write(to: &$0) }
            switch destination {
            case .none: break
            case .url(let url): json.member("continueUrl", url.text)
            case .app(let request):
                json.object("authorization") { json in
                    json.member("redirect_uri", request.redirectURI.text)
                    json.member("state", request.state ?? "")
                    json.member("code_challenge", request.challenge.text)
                    json.member("code_challenge_method", CodeChallenge.method)
                }
            }
        }
    }

    /// The way out of the page, which works without its script.
    private var exit: (link: Template, url: String)? {
        switch destination {
        case .app(let request): (Self.cancel, request.response.url(error: .accessDenied))
        case .url(let url) where configuration.component == .account: (Self.back, url.text)
        case .url, .none: nil
        }
    }

    /// The page's script. It is in the head so that the browser requests its module before it has the whole document.
    private static let head = Template(PackageResources.component_head_html)
    private static let content = Template(PackageResources.component_html)
    private static let ending = Markup(own: OwnScript.compact(PackageResources.component_page_js))
    private static let cancel = Template(PackageResources.sign_in_cancel_html)
    private static let back = Template(PackageResources.account_back_html)
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

/// Where users go on once they are signed in: a URL of an authorized domain, so that the page is not an open redirect.
public struct ContinueURL: Sendable, Hashable {
    /// The URL.
    public let text: String

    /// Checks a URL; nil if it is malformed, is not https, or leads to a domain that is not authorized.
    ///
    /// - Parameters:
    ///   - text: the URL. Plain http is accepted for a loopback address.
    ///   - domains: the project's authorized domains, and in development mode the page's own host. The port is included
    ///     if it is not the scheme's.
    ///   - allowsLoopback: whether any loopback address is authorized, in development mode.
    public init?(_ text: String, domains: some Collection<String>, allowsLoopback: Bool = false) {
        guard let url = try? ServiceURL(text, allowsPlainLoopback: true) else { return nil }
        // Without credentials, paths that some parsers read as a part of the host, or anything to normalize.
        let authority = String(url.description.drop { $0 != "/" }.dropFirst(2))
        let isLoopback = text.hasPrefix("http://")
        // Authorized domains are in lower case; the page's own is as the browser sent it.
        let isAuthorized = domains.contains(authority) || domains.contains(authority.lowercased())
        guard isAuthorized || isLoopback && allowsLoopback else { return nil }
        self.text = url.text
    }

    /// Checks the URL of a link in an e-mail, which may also have another port than the domain, and a fragment. Plain
    /// http would show a code to the network.
    public init?(_ text: String, authorizedBy project: Project, allowsLoopback: Bool) {
        let base = Self(String(text.prefix { $0 != "#" }), domains: [], allowsLoopback: allowsLoopback)
        guard let isAuthorized = project.authorizes(url: text) else { return nil }
        guard isAuthorized && text.hasPrefix("https:") || base != nil else { return nil }
        self.text = text
    }

    /// Returns the URL with fields in its query. They replace fields of the same names.
    public func url(with fields: [(name: String, value: String)]) -> String {
        let base = text.prefix { $0 != "#" }
        let path = base.prefix { $0 != "?" }
        let kept = base[path.endIndex...].dropFirst().split(separator: "&").filter { pair in
            !fields.contains { $0.name == pair.prefix { $0 != "=" } }
        }
        let query = fields.map { "\($0.name)=\(PercentEncoding.encode($0.value))" } + kept.map(String.init)
        return "\(path)?\(query.joined(separator: "&"))\(text[base.endIndex...])"
    }
}
