public import PhoneAuth

/// What an app asks of the page, checked against the registered apps: the query of `/__/auth/handler`.
public struct VerifyAppRequest: Sendable {
    /// The registered app.
    public let app: RegisteredApp
    /// Where the app waits for the answer.
    public let callback: Callback

    /// Checks a query.
    ///
    /// Parameters that the page has no use for (`v`, `tid` …) may be there; those that it uses may be there once.
    ///
    /// - Parameters:
    ///   - query: the decoded names and values.
    ///   - authDomain: the host by which the page was reached.
    ///   - apps: the apps of the project that the API key names.
    /// - Throws: ``VerifyAppRefusal``, with a callback if the scheme is a registered app's and the event is well formed.
    public init(
        query: [(name: String, value: String)],
        authDomain: AuthDomain,
        apps: [RegisteredApp]
    ) throws(VerifyAppRefusal) {
        let fields = Fields(query)
        guard try fields.single("authType") == "verifyApp" else { throw .init(.unsupportedType) }
        guard let eventID = EventID(try fields.single("eventId") ?? "") else { throw .init(.malformed) }
        let identifier: Identifier
        switch (try fields.single("clientId"), try fields.single("appId")) {
        case (let clientID?, nil): identifier = .clientID(clientID)
        case (nil, let appID?): identifier = .appID(appID)
        default: throw .init(.malformed)
        }
        let bundleID = try fields.single("ibi")
        guard let owner = apps.first(where: { identifier.belongs(to: $0) }), let scheme = identifier.scheme(of: owner)
        else {
            let isKnown = apps.contains { $0.bundleID == bundleID }
            throw .init(bundleID == nil ? .malformed : isKnown ? .schemeNotRegistered : .unknownApp)
        }
        let callback = Callback(scheme: scheme, eventID: eventID, authDomain: authDomain)
        guard let bundleID, RegisteredApp.isBundleID(bundleID) else {
            throw .init(.malformed, callback)
        }
        // One client id may stand in the registrations of several apps.
        guard let app = apps.first(where: { identifier.belongs(to: $0) && $0.bundleID == bundleID }) else {
            throw .init(.bundleIDMismatch, callback)
        }
        self.app = app
        self.callback = callback
    }

    private struct Fields {
        private let query: [(name: String, value: String)]

        init(_ query: [(name: String, value: String)]) {
            self.query = query
        }

        /// Two values would let two readers of one URL see two requests.
        func single(_ name: String) throws(VerifyAppRefusal) -> String? {
            let found = query.filter { $0.name == name }
            guard found.count <= 1 else { throw .init(.malformed) }
            return found.first.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
    }

    private enum Identifier {
        case clientID(String)
        case appID(String)

        func belongs(to app: RegisteredApp) -> Bool {
            switch self {
            case .clientID(let clientID): app.clientID == clientID
            case .appID(let appID): app.appID == appID
            }
        }

        func scheme(of app: RegisteredApp) -> CallbackScheme? {
            switch self {
            case .clientID: CallbackScheme(clientIDOf: app)
            case .appID: CallbackScheme(appIDOf: app)
            }
        }
    }
}

extension VerifyAppRefusal {
    fileprivate init(_ reason: Reason, _ callback: Callback? = nil) {
        self.init(reason: reason, callback: callback)
    }
}
