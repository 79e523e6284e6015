internal import Cryptography
internal import Encodings

/// What web apps load from `/__/auth`.
public enum ScriptForWebApps: Sendable, CaseIterable {
    /// `verifier.js`: a classic script with which web apps get a challenge token, wrapped in one function, so that
    /// `DialtoneVerifier` is the only global name that it defines.
    case verifier
    /// `dialtone.js`: a module with the verifier, and with `connectDialtone`, with which the official SDK reaches the
    /// server.
    case module
    /// `dialtone.d.ts`: the module's types for TypeScript.
    case moduleTypes
    /// `sign-in.js`: a module that defines `<dialtone-sign-in>`.
    case signIn
    /// `sign-in.d.ts`: its types.
    case signInTypes
    /// `account.js`: a module that defines `<dialtone-account>`.
    case account
    /// `account.d.ts`: its types.
    case accountTypes

    /// The file's path on the server.
    public var path: String {
        switch self {
        case .verifier: "/__/auth/verifier.js"
        case .module: "/__/auth/dialtone.js"
        case .moduleTypes: "/__/auth/dialtone.d.ts"
        case .signIn: "/__/auth/sign-in.js"
        case .signInTypes: "/__/auth/sign-in.d.ts"
        case .account: "/__/auth/account.js"
        case .accountTypes: "/__/auth/account.d.ts"
        }
    }

    /// The response's body.
    public var body: [UInt8] { file.body }

    /// The response's headers. Any site may load the files, because they contain no user's data.
    ///
    /// For a day after it has expired, a browser uses its copy at once and asks for a newer one meanwhile.
    public var headers: [(name: StaticString, value: String)] {
        Self.headers(type: contentType, cacheControl: "public, max-age=3600, stale-while-revalidate=86400")
            + [("ETag", file.entityTag)]
    }

    static func headers(type: String, cacheControl: String) -> [(name: StaticString, value: String)] {
        [
            ("Content-Type", type),
            ("Cache-Control", cacheControl),
            ("Access-Control-Allow-Origin", "*"),
            ("Cross-Origin-Resource-Policy", "cross-origin"),
        ]
    }

    /// Returns whether a client already has this file, according to its `If-None-Match` (RFC 9110 § 13.1.2).
    ///
    /// A web server that compresses the file has marked the tag as weak (`W/`), which does not matter here. No tag
    /// contains a quotation mark, so the quoted tag is found only as a whole.
    public func isCurrent(ifNoneMatch: String) -> Bool {
        ifNoneMatch == "*" || ifNoneMatch.contains(file.entityTag)
    }

    private var contentType: String {
        switch self {
        case .moduleTypes, .signInTypes, .accountTypes: "text/plain; charset=utf-8"
        case .verifier, .module, .signIn, .account: "text/javascript; charset=utf-8"
        }
    }

    private var file: File {
        switch self {
        case .verifier: Self.verifierFile
        case .module: Self.moduleFile
        case .moduleTypes: Self.moduleTypesFile
        case .signIn: Self.signInFile
        case .signInTypes: Self.signInTypesFile
        case .account: Self.accountFile
        case .accountTypes: Self.accountTypesFile
        }
    }

    private struct File {
        let body: [UInt8]
        let entityTag: String

        init(_ body: [UInt8]) {
            self.body = body
            entityTag = "\"" + Hexadecimal.encode(SHA256.hash(body).prefix(16)) + "\""
        }
    }

    /// The proof of work and the verifier, without an export.
    static let parts = PageAssets.proofOfWork + OwnScript.compact(PackageResources.verifier_js)

    private static let verifierFile = File(
        Array("(() => {\nconst own = document.currentScript && document.currentScript.src;\n".utf8) + parts
            + Array("self.DialtoneVerifier = DialtoneVerifier;\n})();\n".utf8)
    )

    private static let moduleFile = File(
        Array("const own = import.meta.url;\n".utf8) + parts + OwnScript.compact(PackageResources.connect_js)
            + Array("export { connectDialtone, DialtoneVerifier };\n".utf8)
    )

    private static let moduleTypesFile = File(PackageResources.dialtone_d_ts)
    private static let signInFile = File(ComponentModule.signIn.loader)
    private static let signInTypesFile = File(PackageResources.sign_in_d_ts)
    private static let accountFile = File(ComponentModule.account.loader)
    private static let accountTypesFile = File(PackageResources.account_d_ts)
}
