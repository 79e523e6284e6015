internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// `GET /__/auth/sign-in`: the hosted sign-in page.
    static func signInPage(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        try page(of: .signIn, api, request, record)
    }

    /// `GET /__/auth/account`: the hosted account page.
    static func accountPage(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        try page(of: .account, api, request, record)
    }

    /// Returns a component's page. Errors are pages, too.
    private static func page(
        of component: WebComponent,
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let query = try request.queryFields()
        let language = Language(hl: query["hl"], acceptLanguage: request.parameter("HTTP_ACCEPT_LANGUAGE"))
        let nonce = Nonce(api.authenticator.environment.randomBytes(16))
        func refused(_ reason: VerifyAppRefusal.Reason) -> Response {
            record.reason = reason.code
            let refusal = VerifyAppRefusal(reason: reason, callback: nil)
            let page = ChallengePage(refusal: refusal, language: language, nonce: nonce)
            return Response(status: 400, headers: page.headers, body: page.render())
        }
        guard let apiKey = query["apiKey"], let known = try? api.projects.project(ofAPIKey: apiKey) else {
            return refused(.unknownApp)
        }
        record.project = known.id
        let project = try StoreUnavailable.onWire(api.authenticator.configured(known))
        var continueURL: ContinueURL?
        if let text = query["continueUrl"], !text.isEmpty {
            let own = AuthDomain(request.parameter("HTTP_HOST") ?? "").map { [$0.text] } ?? []
            continueURL = ContinueURL(
                text,
                domains: project.namedDomains + own,
                allowsLoopback: api.projects.isDevelopment
            )
            guard continueURL != nil else { return refused(.malformed) }
        }
        record.reason = "shown"
        let page = SignInPage(
            component,
            apiKey: apiKey,
            continueURL: continueURL,
            language: language,
            provider: api.providers.provider(of: project),
            nonce: nonce
        )
        return Response(status: 200, headers: page.headers, body: page.render())
    }
}
