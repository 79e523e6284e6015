public import DialtoneTexts
internal import Encodings
internal import PhoneAuth

/// The page that the link of an e-mail opens, complete in one document.
///
/// Mail scanners open links and run scripts. So the page only asks what its code would do, and a press of its button
/// uses the code. The script reads the code from the page's URL; of the query, the document only has the URL to go on
/// to.
public struct ActionPage: Sendable {
    /// What a link does, as the `mode` of its query.
    public enum Mode: String, Sendable {
        case resetPassword, verifyEmail, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition
    }

    private let mode: Mode
    private let continueURL: ContinueURL?
    private let language: Language
    private let nonce: Nonce

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - mode: what the link does.
    ///   - continueURL: where users can go on afterwards; nil for nowhere.
    ///   - language: the language of the texts.
    ///   - nonce: the response's nonce.
    public init(_ mode: Mode, continueURL: ContinueURL?, language: Language, nonce: Nonce) {
        self.mode = mode
        self.continueURL = continueURL
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
            title: language.text(texts.title),
            style: PageAssets.style,
            nonce: nonce,
            provider: nil
        )
    }

    private var texts: (title: PageText, result: PageText) {
        switch mode {
        case .resetPassword: (.resetTitle, .passwordChanged)
        case .verifyEmail, .verifyAndChangeEmail: (.verifyEmail, .emailConfirmed)
        case .recoverEmail: (.recoverTitle, .emailRestored)
        case .revertSecondFactorAddition: (.removeTitle, .factorRemoved)
        }
    }

    private var button: String {
        mode == .revertSecondFactorAddition ? language.text(.remove) : language.text(.verify)
    }

    private func fill(_ slot: Slot) -> Markup {
        switch slot {
        case .nonce: Markup(text: nonce.text)
        case .state: Markup(text: "working")
        case .content: Markup(own: Self.content.render(fill))
        case .title: Markup(text: language.text(texts.title))
        case .component: Markup(own: mode == .resetPassword ? Self.password.render(fill) : [])
        case .action: Markup(text: button)
        case .result: Markup(text: language.text(texts.result))
        case .exit: Markup(own: continueURL == nil ? [] : PageAssets.refusalWithLink.render(fill))
        case .cancelLink: Markup(text: continueURL?.text ?? "")
        case .data: Markup(json: data)
        case .script: Self.script
        default: Markup(text: language.text(in: slot))
        }
    }

    private var data: [UInt8] {
        JSONWriter.object { json in
            json.member("mode", mode.rawValue)
            json.member("minimumLength", Int64(CredentialRefusal.minimumPasswordCharacters))
            json.object("texts") { json in
                for text in Self.errors { json.member(text.rawValue, language.text(text)) }
                json.member("weakPassword", language.text(.weakPassword))
            }
        }
    }

    private static let errors: [SharedText] = [
        .linkExpired, .disabled, .emailTaken, .tooManyRequests, .networkFailed, .serverFailed, .linkSent,
    ]
    private static let content = Template(PackageResources.action_html)
    private static let password = Template(PackageResources.action_password_html)
    private static let script = Markup(own: OwnScript.compact(PackageResources.action_js))
}
