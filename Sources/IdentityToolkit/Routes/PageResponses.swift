internal import ChallengePages
internal import DialtoneTexts
internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// What the hosted pages share: the language of their visitors, and what a person sees in place of an error.
extension IdentityToolkitHandler {
    /// Returns the language of a page: the one in its query, or the browser's.
    func pageLanguage(_ query: FormFields?, _ request: borrowing Request) -> Language {
        Language(hl: query?["hl"] ?? query?["lang"], acceptLanguage: request.parameter("HTTP_ACCEPT_LANGUAGE"))
    }

    /// Returns the nonce of a page.
    func newNonce() -> Nonce { Nonce(authenticator.environment.randomBytes(16)) }

    /// Returns the page that reports an error: a server that cannot answer now, or a link that never will.
    func page(for error: WireError, _ request: borrowing Request) -> Response {
        let language = pageLanguage(FormFields(request.query.utf8), request)
        guard error.status.http < 500 else {
            return .page(ChallengePage(failureIn: language, nonce: newNonce()), status: error.status.http)
        }
        let refusal = VerifyAppRefusal(reason: .malformed, callback: nil)
        return .page(ChallengePage(refusal: refusal, language: language, nonce: newNonce()), status: error.status.http)
    }

    /// Returns the page that shows why a link is rejected.
    func refusal(_ reason: VerifyAppRefusal.Reason, _ language: Language, _ record: RequestRecord) -> Response {
        record.reason = reason.code
        let refusal = VerifyAppRefusal(reason: reason, callback: nil)
        return .page(ChallengePage(refusal: refusal, language: language, nonce: newNonce()), status: 400)
    }

    /// Returns the URL that users go on to; nil if it is malformed, or leads to a domain that is not authorized.
    func continueURL(_ text: String, _ project: Project, _ request: borrowing Request) -> ContinueURL? {
        // The client chooses the Host header, so it authorizes nothing in production.
        let own = projects.isDevelopment ? AuthDomain(request.parameter("HTTP_HOST") ?? "") : nil
        return ContinueURL(
            text,
            domains: project.namedDomains + (own.map { [$0.text] } ?? []),
            allowsLoopback: projects.isDevelopment
        )
    }
}

extension Response {
    /// Returns a page with its own headers, such as the content security policy that its nonce belongs to.
    static func page(_ page: ChallengePage, status: Int = 200) -> Response {
        Response(status: status, headers: page.headers, body: page.render())
    }

    /// Returns a redirect after which the browser sends a GET (RFC 9700 § 4.12).
    static func redirect(to url: String) -> Response {
        Response(status: 303, headers: [("Location", url), ("Cache-Control", "no-store")])
    }
}
