/// What the page may load and do (CSP 3): its own script and style, known by the nonce, requests to its own origin, and a provider's widget.
///
/// It can be shown in no frame, so that nobody lays it under a page of his own.
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
            // The worker that solves is made of a blob.
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
