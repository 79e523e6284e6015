internal import Cryptography
internal import DialtoneTexts
internal import Encodings

/// A component for web pages, which also has a hosted page.
public enum WebComponent: Sendable, CaseIterable {
    /// `<dialtone-sign-in>`.
    case signIn
    /// `<dialtone-account>`.
    case account

    /// The path of the hosted page.
    public var pagePath: String {
        switch self {
        case .signIn: "/__/auth/sign-in"
        case .account: "/__/auth/account"
        }
    }
}

extension WebComponent {
    /// Returns the component's texts by name. The account component also has the texts of the sign-in component.
    func texts(in language: Language) -> JSONObject {
        var texts = SharedText.ofComponent.map { (name: $0.rawValue, value: JSONValue.string(language.text($0))) }
        if case .account = self {
            texts += PageText.ofAccount.map { (name: $0.rawValue, value: JSONValue.string(language.text($0))) }
            texts.append((name: SharedText.cancel.rawValue, value: .string(language.text(.cancel))))
        }
        return JSONObject(members: texts)
    }

    /// Returns the component's title in steps that ask for nothing.
    func title(in language: Language) -> String {
        switch self {
        case .signIn: language.text(.title)
        case .account: language.text(.accountTitle)
        }
    }
}

/// The module that defines a component, under a path that contains its hash, so that browsers can cache it forever. A
/// ``ScriptForWebApps`` has a fixed path and imports it.
public struct ComponentModule: Sendable {
    /// `<dialtone-sign-in>`, and what it shares with other components.
    public static let signIn = ComponentModule(
        .signIn,
        imports: [],
        ("BUILT", builtForSignIn),
        // A class comes after its superclass, and a constant before a file that reads it at once.
        scripts: [
            PackageResources.proof_of_work_js, PackageResources.verifier_js, PackageResources.elements_js,
            PackageResources.pasted_text_js, PackageResources.safe_storage_js, PackageResources.server_js,
            PackageResources.user_js, PackageResources.rest_sign_in_js, PackageResources.refusals_js,
            PackageResources.sdk_sign_in_js, PackageResources.likely_region_js, PackageResources.country_list_js,
            PackageResources.dialtone_element_js, PackageResources.dialtone_sign_in_js,
            PackageResources.sign_in_window_js, PackageResources.sign_in_redirect_js,
        ],
        exports: [
            "DialtoneSignIn", "DialtoneUser", "DialtoneVerifier", "getRedirectResult", "signInWithPage",
            "signInWithRedirect",
        ] + shared
    )

    /// `<dialtone-account>`. It imports what the components share from the sign-in module, which a page that shows both
    /// loads once.
    public static let account = ComponentModule(
        .account,
        imports: ["DialtoneUser"] + shared,
        ("ACCOUNT", builtForAccount),
        scripts: [PackageResources.qr_code_js, PackageResources.account_js],
        exports: ["DialtoneAccount"]
    )

    /// Returns the module of a component.
    public static func of(_ component: WebComponent) -> ComponentModule {
        switch component {
        case .signIn: .signIn
        case .account: .account
        }
    }

    /// Returns the path of any version of a component's module; the parameter is its hash.
    public static func pathOfAnyVersion(_ component: WebComponent) -> String { path(of: component, hash: "{hash}") }

    /// The module.
    public let body: [UInt8]

    /// The path of this version.
    public let path: String

    private let hash: String

    private init(
        _ component: WebComponent,
        imports: [String],
        _ built: (name: String, json: [UInt8]),
        scripts: [[UInt8]],
        exports: [String]
    ) {
        var body = Array("const own = import.meta.url;\n".utf8)
        if !imports.isEmpty {
            body = Array("import { \(imports.joined(separator: ", ")) } from '\(Self.signIn.path)';\n".utf8)
        }
        body += Array("const \(built.name) = ".utf8) + built.json + Array(";\n".utf8)
        body += scripts.map(OwnScript.compact).joined()
        body += Array("export { \(exports.joined(separator: ", ")) };\n".utf8)
        self.body = body
        hash = Hexadecimal.encode(SHA256.hash(body).prefix(8))
        path = Self.path(of: component, hash: hash)
    }

    /// Returns the headers of a response for the version that a browser requested.
    ///
    /// While a deployment is updated, a page may request the version of another worker. It gets this worker's version,
    /// which no cache stores under the other version's path.
    public func headers(requestedHash: String) -> [(name: StaticString, value: String)] {
        let isOwn = requestedHash == hash
        return ScriptForWebApps.headers(
            type: "text/javascript; charset=utf-8",
            cacheControl: isOwn ? "public, max-age=31536000, immutable" : "no-store"
        )
    }

    /// The module that imports this version, under a fixed path.
    var loader: [UInt8] { Array("export * from '\(path)';\n".utf8) }

    private static func path(of component: WebComponent, hash: String) -> String {
        "\(component.pagePath)-\(hash).js"
    }

    /// What the sign-in component's module exports for the other components.
    private static let shared = [
        "BROWSERS", "DialtoneElement", "REVOKED", "Refusal", "SYSTEMS", "claimsOf", "codeIn", "filled", "ltr", "make",
        "received", "refusalOf",
    ]

    /// What the script needs before it has reached the server: its style sheet, and texts in case the server cannot be
    /// reached. All other texts come with the configuration, in the page's language only.
    private static let builtForSignIn = JSONWriter.object { json in
        json.member("style", String(decoding: OwnScript.compact(PackageResources.sign_in_css), as: UTF8.self))
        json.object("offlineTexts") { json in
            for language in Language.allCases {
                json.array(language.tag) { json in
                    for text in [SharedText.networkFailed, .serverFailed, .tryAgain, .title] {
                        json.value(language.text(text))
                    }
                }
            }
        }
    }

    private static let builtForAccount = JSONWriter.object { json in
        json.member("style", String(decoding: OwnScript.compact(PackageResources.account_css), as: UTF8.self))
        json.object("titles") { json in
            for language in Language.allCases {
                json.member(language.tag, WebComponent.account.title(in: language))
            }
        }
    }
}
