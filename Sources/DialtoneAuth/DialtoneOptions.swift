public import Foundation

/// What an app needs to know about its Dialtone server and its project.
public struct DialtoneOptions: Sendable {
    /// The server's URL, `https://host` or `https://host:port`. Plain `http` is for servers on this machine only. If it
    /// is nil, each call fails with a description of what is missing.
    public var url: URL?
    /// One of the project's API keys.
    public var apiKey: String
    /// The project's ID. An app that uses several projects of one server needs it to keep their sessions apart.
    public var projectID: String?
    /// The app's ID in the settings of the server (`…_APP_ID`), such as `1:123:ios:abc`.
    public var googleAppID: String?
    /// The app's client ID in the settings of the server (`…_CLIENT_ID`), such as `123-abc.apps.googleusercontent.com`.
    public var clientID: String?
    /// The bundle ID in the settings of the server (`…_BUNDLE_ID`).
    public var bundleID: String?
    /// The pins of public keys. The server's certificate chain must contain one of them, and must also be trusted by
    /// the system. Empty, the default, pins nothing. A pin is the SHA-256 of a SubjectPublicKeyInfo in Base64 or
    /// hexadecimal: <doc:PinningPublicKeys>. Apple's platforms only: on others each call fails if there are pins.
    public var pinnedPublicKeys: [String] = []

    /// Whether users stay signed in after they delete the app and install it again, as with the Firebase SDK, whose
    /// keychain items outlive the app. False by default, because users do not expect it. It applies to iOS, watchOS and
    /// visionOS; on tvOS the session always outlives the app.
    public var keepsSessionAcrossInstallations = false

    /// Creates options.
    ///
    /// If `bundleID` is set, and `googleAppID` or `clientID`, the server verifies this app as a registered app, with
    /// silent pushes if possible. Otherwise, it verifies the app as it verifies the project's web apps.
    public init(
        url: URL?,
        apiKey: String,
        projectID: String? = nil,
        googleAppID: String? = nil,
        clientID: String? = nil,
        bundleID: String? = nil
    ) {
        self.url = url
        self.apiKey = apiKey
        self.projectID = projectID
        self.googleAppID = googleAppID
        self.clientID = clientID
        self.bundleID = bundleID
    }

    /// Reads a `GoogleService-Info.plist` to which you added the string `DIALTONE_URL`, and, to pin public keys,
    /// `DIALTONE_PINNED_PUBLIC_KEYS`, a string or an array of strings.
    ///
    /// Returns nil if the file does not exist, is not a property list or has no API key.
    ///
    /// - Parameter path: the path of the file.
    public init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let apiKey = list["API_KEY"] as? String
        else { return nil }
        self.init(
            url: (list["DIALTONE_URL"] as? String).flatMap(URL.init),
            apiKey: apiKey,
            projectID: list["PROJECT_ID"] as? String,
            googleAppID: list["GOOGLE_APP_ID"] as? String,
            clientID: list["CLIENT_ID"] as? String,
            bundleID: list["BUNDLE_ID"] as? String ?? Bundle.main.bundleIdentifier
        )
        switch list["DIALTONE_PINNED_PUBLIC_KEYS"] {
        case nil: break
        case let pins as [String]: pinnedPublicKeys = pins
        case let pin as String: pinnedPublicKeys = [pin]
        // A malformed entry must not disable pinning.
        default: pinnedPublicKeys = ["(not a list of strings)"]
        }
    }

    /// Returns the options in the main bundle's `GoogleService-Info.plist`; nil if the file does not exist or cannot be
    /// used.
    public static func defaultOptions() -> DialtoneOptions? {
        Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist").flatMap(DialtoneOptions.init)
    }

    /// The reason why every call fails, with a sentence that says how to fix it; nil if there is none.
    var fault: String? { serverFault ?? keyFault }

    private var serverFault: String? {
        guard let url else {
            return "The server's URL is missing. Add the string DIALTONE_URL to GoogleService-Info.plist, or call "
                + "DialtoneApp.configure(url:apiKey:)."
        }
        guard ServerURL(url) != nil else {
            return "The server's URL must be https://host or https://host:port; plain http is for 127.0.0.1 and "
                + "localhost only."
        }
        return pinFault(url)
    }

    /// What is wrong with the API key or the bundle ID; nil if nothing is.
    var keyFault: String? {
        guard !apiKey.isEmpty else { return "The API key is missing. Use one of the project's API keys." }
        // Requests send them in header fields.
        guard (apiKey + (bundleID ?? "")).utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return "The API key or the bundle ID contains a space, a line break or a non-ASCII character."
        }
        return nil
    }

    private func pinFault(_ url: URL) -> String? {
        if let pin = pinnedPublicKeys.first(where: { PublicKeyPin($0) == nil }) {
            return
                "\"\(pin.prefix(100))\": not a pin. Expected is the SHA-256 of a public key (SubjectPublicKeyInfo) in "
                + "base64 or hexadecimal."
        }
        guard !pinnedPublicKeys.isEmpty else { return nil }
        guard url.scheme?.lowercased() == "https" else { return "Public keys are pinned, which requires https." }
        #if canImport(Darwin)
            return nil
        #else
            return "Public keys are pinned, which only Apple's platforms can check."
        #endif
    }
}
