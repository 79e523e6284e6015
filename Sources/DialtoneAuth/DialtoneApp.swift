public import Foundation

/// An app of a project: its name, and the options with which it reaches its server.
///
/// ```swift
/// DialtoneApp.configure(url: URL(string: "https://auth.example.com")!, apiKey: "…")
/// ```
public final class DialtoneApp: NSObject, Sendable {
    /// The name of the default app.
    public static let defaultName = "__FIRAPP_DEFAULT"

    /// The name of the app.
    public let name: String
    /// The options of the app.
    public let options: DialtoneOptions
    /// What was wrong when the app was configured, apart from the options; nil if nothing was.
    let configurationFault: String?
    let auth: Locked<Auth?> = Locked(nil)
    let store: any AuthStore

    private static let apps = Locked<[String: DialtoneApp]>([:])

    init(name: String, options: DialtoneOptions, store: (any AuthStore)?, configurationFault: String? = nil) {
        self.name = name
        self.options = options
        self.configurationFault = configurationFault
        self.store =
            store
            ?? DefaultStore.make(
                id: Self.storeID(name),
                groupID: Self.storeID(name, options.projectID ?? ""),
                outlivesApp: options.keepsSessionAcrossInstallations
            )
    }

    /// Returns the ID under which an app's session is stored: of the name only, because the URL and the API key change,
    /// and the session names its project. The apps of an access group may have several projects.
    static func storeID(_ identity: String...) -> String {
        hexadecimalHash(of: identity)
    }

    /// Configures the default app from the `GoogleService-Info.plist` in the main bundle, to which you added
    /// `DIALTONE_URL`.
    ///
    /// If the file is missing or incomplete, each call fails with a description of what is missing.
    public static func configure() {
        if let options = DialtoneOptions.defaultOptions() {
            configure(options: options)
        } else {
            register(
                DialtoneApp(
                    name: defaultName,
                    options: DialtoneOptions(url: nil, apiKey: ""),
                    store: nil,
                    configurationFault: "GoogleService-Info.plist with API_KEY and DIALTONE_URL is not in the main "
                        + "bundle. Add it to the target, or call DialtoneApp.configure(url:apiKey:)."
                )
            )
        }
    }

    /// Configures the default app with its server's URL, one of the project's API keys, and the project's ID, which
    /// keeps the sessions of several projects apart.
    public static func configure(url: URL, apiKey: String, projectID: String? = nil) {
        configure(options: DialtoneOptions(url: url, apiKey: apiKey, projectID: projectID))
    }

    /// Configures an app. If there is an app with this name, ``app(name:)`` returns the new one from then on.
    ///
    /// - Parameters:
    ///   - name: the name; nil for the default app.
    ///   - options: the options.
    ///   - store: where the session is kept; nil for the keychain, or for files on platforms other than Apple's.
    /// - Returns: the app.
    @discardableResult public static func configure(
        name: String? = nil,
        options: DialtoneOptions,
        store: (any AuthStore)? = nil
    ) -> DialtoneApp {
        let app = DialtoneApp(name: name ?? defaultName, options: options, store: store)
        register(app)
        return app
    }

    /// Returns the default app; nil before it is configured.
    public static func app() -> DialtoneApp? { app(name: defaultName) }

    /// Returns the app with a name; nil before it is configured.
    public static func app(name: String) -> DialtoneApp? { apps.withLock { $0[name] } }

    /// The configured apps, by their names; nil if there are none.
    public static var allApps: [String: DialtoneApp]? { apps.withLock { $0.isEmpty ? nil : $0 } }

    /// Removes the app from the configured apps. Its session stays stored.
    public func delete() {
        Self.apps.withLock { apps in
            if apps[name] === self { apps[name] = nil }
        }
    }

    private static func register(_ app: DialtoneApp) {
        let former = apps.withLock { apps in
            defer { apps[app.name] = app }
            return apps[app.name]
        }
        former?.auth.withLock { $0 }?.retire()
    }
}
