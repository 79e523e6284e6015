internal import DialtoneTexts
internal import Encodings

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

/// The page's content security policy (CSP 3): its own script and style, identified by the nonce, requests to its own
/// origin, and a provider's widget.
///
/// The page cannot be framed, which prevents clickjacking. Injected scripts lack the nonce, which prevents XSS.
enum ContentSecurityPolicy {
    static func text(nonce: Nonce, provider: ChallengeProvider?) -> String {
        let sources = provider?.kind.sources ?? ProviderSources()
        var directives = [
            directive("default-src", ["'none'"]),
            directive("script-src", ["'nonce-\(nonce.text)'"] + sources.script),
            directive("style-src", ["'nonce-\(nonce.text)'"] + sources.style),
            directive("connect-src", ["'self'"] + sources.connect),
        ]
        if provider == nil {
            // The script starts its proof-of-work worker from a blob.
            directives.append(directive("worker-src", ["blob:"]))
        } else {
            directives.append(directive("frame-src", sources.frame))
        }
        directives += ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
        return directives.joined(separator: "; ")
    }

    private static func directive(_ name: String, _ sources: [String]) -> String {
        ([name] + sources).joined(separator: " ")
    }
}

/// The nonce that identifies one response's own scripts and styles in its policy (CSP 3 § 2.3.1). Single use.
public struct Nonce: Sendable, Equatable {
    let text: String

    /// Creates the nonce of one response.
    ///
    /// - Parameter bytes: at least 16 unpredictable bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "a nonce must have at least 16 random bytes")
        text = Base64URL.string(bytes)
    }
}
