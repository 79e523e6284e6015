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
