internal import ChallengePages
internal import DialtoneTexts
internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers

/// What a sign-in page requests before the user has typed anything, and while they type their number. Extensions of the
/// protocol.
extension IdentityToolkitHandler {
    /// `GET /v2/signInConfig`: texts, regions and sign-in methods, in one response that browsers cache.
    static func signInConfig(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let query = try request.queryFields()
        var project = try api.projects.project(ofAPIKey: request.apiKey())
        record.project = project.id
        project = try StoreUnavailable.onWire(api.authenticator.configured(project))
        // Not from the browser's header, because caches identify the response by its URL.
        let language = Language(matching: query["hl"])
        let component = query["page"] == "account" ? WebComponent.account : .signIn
        return .json(
            api.configuration(of: component, project, language).json,
            publicFor: SignInConfiguration.lifetime,
            ifInURL: request.isAPIKeyInURL
        )
    }

    /// Returns what a component needs to know about a project with its current configuration.
    func configuration(of component: WebComponent, _ project: Project, _ language: Language) -> SignInConfiguration {
        SignInConfiguration(
            of: project,
            language: language,
            provider: providers.provider(of: project),
            component: component,
            recentSignIn: authenticator.recentSignIn,
            regions: authenticator.dialedRegions
        )
    }

    /// `GET /__/auth/sign-in-….js`: the sign-in component's module.
    static func signInModule(_ api: Self, _ request: borrowing Request, _ record: RequestRecord) -> Response {
        response(with: .signIn, record)
    }

    /// `GET /__/auth/account-….js`: the account component's module.
    static func accountModule(_ api: Self, _ request: borrowing Request, _ record: RequestRecord) -> Response {
        response(with: .account, record)
    }

    private static func response(with module: ComponentModule, _ record: RequestRecord) -> Response {
        Response(status: 200, headers: module.headers(requestedHash: record.pathParameter), body: module.body)
    }

    /// `POST /v2/parsePhoneNumber`: how a typed number is read. A POST, because numbers do not belong in URLs.
    static func parsePhoneNumber(_ call: Call) throws(WireError) -> Response {
        let text = try call.fields.text("phoneNumber") ?? ""
        let regionCode = try call.fields.nonEmptyText("regionCode")
        let region = regionCode.flatMap { Region($0) }
        guard regionCode == nil || region != nil else {
            throw .code(.invalidArgument, "The regionCode must be an ISO 3166-1 alpha-2 code.", isLogged: false)
        }
        let typed: TypedNumber
        do {
            typed = try call.operation.read(typed: text, in: region)
        } catch {
            return .json(JSONWriter.object { $0.unreadable(error) })
        }
        return .json(
            JSONWriter.object { json in
                switch typed.reading {
                case .success(let formatted): json.members(of: formatted, in: call.project)
                case .failure(let error): json.unreadable(error)
                }
                json.member("asYouType", typed.asYouType)
            }
        )
    }
}

extension JSONWriter {
    fileprivate mutating func members(of formatted: TypedNumber.FormattedNumber, in project: Project) {
        let number = formatted.number
        member("valid", number.isValid)
        member("phoneNumber", number.text)
        member("nationalFormat", formatted.national)
        member("internationalFormat", formatted.international)
        if let region = number.region { member("regionCode", region.description) }
        member("regionAllowed", project.sends(to: number.effectiveRegion))
        member("accepted", project.sends(to: number))
    }

    fileprivate mutating func unreadable(_ error: PhoneNumberError) {
        member("valid", false)
        member("reason", error.word)
    }
}

extension PhoneNumberError {
    fileprivate var word: String {
        switch self {
        case .malformed: "MALFORMED"
        case .unknownCallingCode: "UNKNOWN_CALLING_CODE"
        case .tooShort: "TOO_SHORT"
        case .tooLong: "TOO_LONG"
        }
    }
}
