internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// `GET /__/auth/sign-in`: the hosted sign-in page, also for an app that requests an authorization code.
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

    /// Returns a component's page. Errors are pages, too, or redirects to the app that requested a code.
    private static func page(
        of component: WebComponent,
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let query = try request.queryFields()
        let language = api.pageLanguage(query, request)
        func refused(_ reason: VerifyAppRefusal.Reason) -> Response { api.refusal(reason, language, record) }
        let isAuthorization = component == .signIn && AuthorizationRequest.isMade(by: query)
        let key: String?
        do {
            key = isAuthorization ? try AuthorizationRequest.apiKey(of: query) : query["apiKey"]
        } catch {
            return refused(.malformed)
        }
        guard let apiKey = key, let known = try? api.projects.project(ofAPIKey: apiKey) else {
            return refused(.unknownApp)
        }
        record.project = known.id
        let project = try StoreUnavailable.onWire(api.authenticator.configured(known))
        var destination = SignInPage.Destination.none
        if let text = query["continueUrl"], !text.isEmpty {
            guard let continueURL = api.continueURL(text, project, request), !isAuthorization else {
                return refused(.malformed)
            }
            destination = .url(continueURL)
        }
        if isAuthorization {
            do {
                destination = .app(
                    try AuthorizationRequest(query.fields, in: project, acceptsLoopback: api.projects.isDevelopment)
                )
            } catch {
                switch error {
                case .shown(let reason): return refused(reason)
                case .redirected(let response, let error):
                    record.reason = error.code
                    record.makeReference()
                    return .redirect(to: response.url(error: error))
                }
            }
        }
        record.reason = "shown"
        let page = SignInPage(
            api.configuration(of: component, project, language),
            apiKey: apiKey,
            destination: destination,
            nonce: api.newNonce()
        )
        return Response(status: 200, headers: page.headers, body: page.render())
    }
}
