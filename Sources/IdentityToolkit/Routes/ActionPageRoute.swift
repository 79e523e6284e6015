internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// `GET /__/auth/action`, or `/__/auth/links` on a phone without the app: the page that the link of an e-mail
    /// opens. It uses nothing up. A link to sign in leads to the app at once, which has the address that the link is
    /// only valid with.
    static func actionPage(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let query = try request.queryFields()
        let language = api.pageLanguage(query, request)
        guard let known = try? api.projects.project(ofAPIKey: query["apiKey"]) else {
            return api.refusal(.unknownApp, language, record)
        }
        record.project = known.id
        let project = try StoreUnavailable.onWire(api.authenticator.configured(known))
        let text = query["continueUrl"] ?? ""
        let continueURL =
            api.continueURL(text, project, request)
            ?? ContinueURL(text, authorizedBy: project, allowsLoopback: api.projects.isDevelopment)
        guard let mode = query["mode"], query["oobCode"]?.isEmpty == false else {
            return api.refusal(.malformed, language, record)
        }
        if mode == "signIn", let continueURL {
            record.reason = "redirected"
            let fields = query.fields.filter { ["mode", "oobCode", "apiKey", "lang"].contains($0.name) }
            return .redirect(to: continueURL.url(with: fields))
        }
        guard let mode = ActionPage.Mode(rawValue: mode) else { return api.refusal(.malformed, language, record) }
        record.reason = "shown"
        let page = ActionPage(mode, continueURL: continueURL, language: language, nonce: api.newNonce())
        return Response(status: 200, headers: page.headers, body: page.render())
    }
}
