internal import FastCGI
internal import PhoneAuth

/// One row of the table of routes: where requests go, who may send them, and which function answers them.
final class Route: Sendable {
    /// The requests for which a route exists. For other requests, its path is unknown.
    enum Audience {
        case everyone
        /// Requests on the admin listener.
        case adminListener
        /// Requests on the admin listener, even if the admin interface is disabled: numbers about the machine, and no
        /// data of users.
        case monitoring
        case developmentMode
    }

    /// The guard of a route, and the function that answers a request which has passed it.
    enum Handler: Sendable {
        typealias Open =
            @Sendable (IdentityToolkitHandler, borrowing Request, RequestRecord) throws(WireError) -> Response
        typealias User = @Sendable (Call) throws(WireError) -> Response
        typealias Admin = @Sendable (AdminCall) throws(WireError) -> Response

        /// No guard other than the audience.
        case open(Open)
        /// An API key, which selects the project. `owner` answers `Authorization: Bearer owner` in development mode.
        case user(User, owner: Admin?)
        /// An administrator with this access to the project in the path.
        case admin(AdminAccess, Admin)
        /// `Authorization: Bearer owner`, in development mode.
        case owner(Admin)

        /// Whether it has no guard other than the audience.
        var isOpen: Bool { if case .open = self { true } else { false } }
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// A refusal is stored under the response's reference, for `dialtone explain`.
        static let explained = Traits(rawValue: 1)
        /// The body may be a form.
        static let form = Traits(rawValue: 2)
        /// The Firebase JS SDK deletes the signed-in user if the route fails with a JSON body, even if the server is
        /// only overloaded or down. With plain text it keeps the user and retries (firebase-js-sdk#9259).
        static let plainTextFaults = Traits(rawValue: 4)
        /// In development mode the owner's handler answers even a request with a user's credential.
        static let ownerFirst = Traits(rawValue: 8)
        /// The route answers every method alike, including OPTIONS: proxies may forward their client's method.
        static let anyMethod = Traits(rawValue: 16)
        /// Successes are logged at the level debug: there is one for each request to another site, which has its own
        /// access log.
        static let quiet = Traits(rawValue: 32)
        /// A person opens the path in a browser, so errors are pages, too.
        static let page = Traits(rawValue: 64)
        /// The request is about many accounts, and has a longer deadline: see `IdentityToolkitHandler`.
        static let batch = Traits(rawValue: 128)

        /// A client may repeat the request under its own key: see `IdempotencyKey`.
        static let keyed = Traits(rawValue: 4096)

        // What nginx needs to know about a route: `NginxFilesTests` writes it into nginx's files.

        /// The request waits for blocking hooks, so nginx waits longer for the response.
        static let hooked = Traits(rawValue: 256)
        /// nginx repeats the request if its worker dies. A test shows that repeating it is safe.
        static let repeatable = Traits(rawValue: 512)
        /// A POST that the rate limits of costly requests do not count.
        static let cheap = Traits(rawValue: 1024)
        /// nginx compresses the response, as it does pages.
        static let compressed = Traits(rawValue: 2048)
    }

    /// The name in logs. Paths are not logged, because they are client-supplied text.
    let name: String
    let methods: [Method]
    /// The paths: as declared, under the production host, and of version 3 of the protocol.
    let paths: [String]
    let audience: Audience
    let traits: Traits
    let handler: Handler

    private init(
        _ methods: [Method],
        _ paths: [String],
        on host: ProductionHost?,
        v3 legacy: String? = nil,
        name: String,
        to audience: Audience,
        _ handler: Handler,
        _ traits: Traits = []
    ) {
        let legacyPath = legacy.map { "/identitytoolkit/v3/relyingparty/\($0)" }
        self.paths =
            paths + (host.map { paths.map($0.path) } ?? [])
            + (legacyPath.map { [$0, ProductionHost.www.path($0)] } ?? [])
        self.name = name
        self.methods = methods
        self.audience = audience
        self.traits = traits
        self.handler = handler
    }

    /// Returns a route with an API key.
    static func user(
        _ method: Method,
        _ path: String,
        on host: ProductionHost = .identityToolkit,
        v3 legacy: String? = nil,
        name: String? = nil,
        _ handler: @escaping Handler.User,
        _ traits: Traits = [],
        owner: Handler.Admin? = nil
    ) -> Route {
        Route(
            [method],
            [path],
            on: host,
            v3: legacy,
            name: name ?? Self.name(of: path),
            to: .everyone,
            .user(handler, owner: owner),
            traits
        )
    }

    /// Returns a route that the whole audience may call.
    static func open(
        _ methods: Method...,
        at path: String,
        on host: ProductionHost? = nil,
        v3 legacy: String? = nil,
        name: String? = nil,
        to audience: Audience = .everyone,
        _ handler: @escaping Handler.Open,
        _ traits: Traits = []
    ) -> Route {
        let name = name ?? Self.name(of: path)
        return Route(methods, [path], on: host, v3: legacy, name: name, to: audience, .open(handler), traits)
    }

    /// Returns a route of the admin interface.
    static func admin(
        _ method: Method,
        _ paths: String...,
        name: String? = nil,
        needs access: AdminAccess,
        _ handler: @escaping Handler.Admin,
        _ traits: Traits = []
    ) -> Route {
        Route(
            [method],
            paths,
            on: .identityToolkit,
            name: "admin." + (name ?? Self.name(of: paths[0])),
            to: .adminListener,
            .admin(access, handler),
            traits
        )
    }

    /// Returns a route of old Admin SDKs. They send the project in the body; in development mode there is only one.
    static func owner(
        _ method: Method,
        v3 legacy: String,
        name: String,
        _ handler: @escaping Handler.Admin,
        _ traits: Traits = []
    ) -> Route {
        Route([method], [], on: nil, v3: legacy, name: "admin." + name, to: .developmentMode, .owner(handler), traits)
    }

    /// Returns the name of a route whose row has none: what follows `accounts:` or else the last slash, with dots in
    /// place of colons.
    private static func name(of path: String) -> String {
        let last = path.split(separator: "/").last ?? ""
        let parts = last.split(separator: ":").drop { $0 == "accounts" && last != "accounts" || $0 == "{project}" }
        return parts.joined(separator: ".")
    }
}

/// The production hosts whose names SDKs in emulator mode prepend to a path.
enum ProductionHost: String, Sendable {
    case identityToolkit = "identitytoolkit.googleapis.com"
    case secureToken = "securetoken.googleapis.com"
    case www = "www.googleapis.com"

    /// Returns a path on this host, as SDKs in emulator mode write it.
    func path(_ path: String) -> String { "/\(rawValue)\(path)" }
}

/// An HTTP method that a path accepts.
enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    /// Any other method. Its name is client-supplied text and is not logged.
    case other = "other"

    init(_ name: String?) {
        self = name.flatMap(Method.init(rawValue:)) ?? .other
    }
}
