internal import Encodings
public import PhoneAuth

/// An app's request to the challenge page (`/__/auth/handler`), validated against the registered apps.
public struct VerifyAppRequest: Sendable {
    /// A registered app.
    public enum App: Sendable, Hashable {
        /// An iOS app.
        case iOS(RegisteredApp)
        /// An Android app.
        case android(AndroidApp)
    }

    /// The app that opened the page.
    public let app: App
    /// The destination of the result.
    public let callback: Callback

    /// Validates a query.
    ///
    /// Unused parameters (`v`, `tid` …) are ignored; each used parameter may appear once.
    ///
    /// - Parameters:
    ///   - query: the decoded names and values.
    ///   - authDomain: the host of the page.
    ///   - apps: the iOS apps of the project that the API key selects.
    ///   - androidApps: its Android apps.
    /// - Throws: ``VerifyAppRefusal``, with a callback if the scheme is a registered app's and the event is well
    ///   formed.
    public init(
        query: [(name: String, value: String)],
        authDomain: AuthDomain,
        apps: [RegisteredApp],
        androidApps: AndroidApps
    ) throws(VerifyAppRefusal) {
        let fields = Fields(query)
        guard try fields.single("authType") == "verifyApp" else { throw .init(.unsupportedType) }
        guard let eventID = EventID(try fields.single("eventId") ?? "") else { throw .init(.malformed) }
        if let packageName = try fields.single("apn") {
            let app = try Self.androidApp(packageName, fields, androidApps)
            self.app = .android(app)
            callback = Callback(
                opening: .intent(packageName: app.packageName),
                eventID: eventID,
                authDomain: authDomain
            )
            return
        }
        let identifier: Identifier
        switch (try fields.single("clientId"), try fields.single("appId")) {
        case (let clientID?, nil): identifier = .clientID(clientID)
        case (nil, let appID?): identifier = .appID(appID)
        default: throw .init(.malformed)
        }
        let bundleID = try fields.single("ibi")
        guard let owner = apps.first(where: { identifier.belongs(to: $0) }), let scheme = identifier.scheme(of: owner)
        else {
            let isKnown = apps.contains { $0.bundleID.text == bundleID }
            throw .init(bundleID == nil ? .malformed : isKnown ? .schemeNotRegistered : .unknownApp)
        }
        let callback = Callback(opening: .scheme(scheme), eventID: eventID, authDomain: authDomain)
        guard let bundleID = bundleID.flatMap(BundleID.init) else {
            throw .init(.malformed, callback)
        }
        // Several apps may be registered with the same client id.
        guard let app = apps.first(where: { identifier.belongs(to: $0) && $0.bundleID == bundleID }) else {
            throw .init(.bundleIDMismatch, callback)
        }
        self.app = .iOS(app)
        self.callback = callback
    }

    /// Validates the fields of an Android app. The digest of the app's certificate (`sha1Cert`) is a claim of the
    /// requester and proves nothing, so only its form is checked. The intent reaches only the package in any case.
    private static func androidApp(
        _ packageName: String,
        _ fields: Fields,
        _ apps: AndroidApps
    ) throws(VerifyAppRefusal) -> AndroidApp {
        for name in ["ibi", "clientId", "appId"] where try fields.single(name) != nil { throw .init(.malformed) }
        let digest = try fields.single("sha1Cert") ?? ""
        guard digest.utf8.count == 40, digest.utf8.allSatisfy({ $0.hexDigitValue != nil }) else {
            throw .init(.malformed)
        }
        guard let app = apps.app(packageName: packageName) else { throw .init(.unknownApp) }
        return app
    }

    private struct Fields {
        private let query: [(name: String, value: String)]

        init(_ query: [(name: String, value: String)]) {
            self.query = query
        }

        /// Rejects a repeated parameter: parsers that take the first value and parsers that take the last would see
        /// different requests.
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

/// The id that an app gives one attempt, by which it recognizes the result: 1 to 64 letters, digits and
/// hyphens. The Android SDK sends a UUID.
public struct EventID: Sendable, Hashable {
    /// The characters as received.
    public let text: String

    /// Parses an event id; nil if `text` has another form.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }
}

/// The host of the page, with the port if it is not the scheme's default.
public struct AuthDomain: Sendable, Hashable {
    /// Such as `auth.example.com` or `127.0.0.1:9099`.
    public let text: String

    /// Parses a host; nil if `text`, such as a request's `Host`, is not a host and port (RFC 3986 § 3.2).
    public init?(_ text: String) {
        let isHost = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-.:[]_".utf8.contains($0) }
        guard isHost, (1...261).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
