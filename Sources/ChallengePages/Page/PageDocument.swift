internal import DialtoneTexts

/// The document around the content of a page, and the headers of the response: the same for the challenge page and the
/// sign-in page.
struct PageDocument {
    let language: Language
    let title: String
    let style: Markup
    let nonce: Nonce
    /// The CAPTCHA provider whose widget the page shows; nil for a proof of work.
    let provider: ChallengeProvider?

    /// The response's headers. The content security policy is valid for this page's nonce only.
    var headers: [(name: StaticString, value: String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Language", language.tag),
            ("Content-Security-Policy", ContentSecurityPolicy.text(nonce: nonce, provider: provider)),
            ("Cache-Control", "no-store"),
        ]
    }

    /// Renders the document in UTF-8.
    ///
    /// - Parameters:
    ///   - content: the template of the body.
    ///   - head: the template of what the head contains in addition to the style; nil for nothing.
    ///   - fill: returns the content of a slot of the templates.
    /// - Returns: the document.
    func render(_ content: Template, head: Template? = nil, _ fill: (Slot) -> Markup) -> [UInt8] {
        PageAssets.document.render { slot in
            switch slot {
            case .tag: Markup(text: language.tag)
            case .direction: Markup(text: language.direction)
            case .title: Markup(text: title)
            case .nonce: Markup(text: nonce.text)
            case .style: style
            case .head: Markup(own: head?.render(fill) ?? [])
            case .content: Markup(own: content.render(fill))
            default: Markup(text: "")
            }
        }
    }
}
