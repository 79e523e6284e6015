/// What web apps load from `/__/auth`.
public enum ScriptForWebApps: Sendable, CaseIterable {
    /// `verifier.js`: a classic script by which web apps get a challenge token, wrapped in one function, so that
    /// `DialtoneVerifier` is the only global name that it defines.
    case verifier
    /// `dialtone.js`: a module with the verifier, and with `connectDialtone`, by which the official SDK reaches the
    /// server.
    case module
    /// `dialtone.d.ts`: the module's types for TypeScript.
    case moduleTypes

    /// The file's path on the server.
    public var path: String {
        switch self {
        case .verifier: "/__/auth/verifier.js"
        case .module: "/__/auth/dialtone.js"
        case .moduleTypes: "/__/auth/dialtone.d.ts"
        }
    }

    /// The response's body.
    public var body: [UInt8] {
        switch self {
        case .verifier: Self.verifierBody
        case .module: Self.moduleBody
        case .moduleTypes: PackageResources.dialtone_d_ts
        }
    }

    /// The response's headers. Any site may load the files, because they contain no user's data.
    public var headers: [(name: StaticString, value: String)] {
        [
            ("Content-Type", self == .moduleTypes ? "text/plain; charset=utf-8" : "text/javascript; charset=utf-8"),
            ("Cache-Control", "public, max-age=3600"),
            ("Access-Control-Allow-Origin", "*"),
            ("Cross-Origin-Resource-Policy", "cross-origin"),
        ]
    }

    private static let parts = PageAssets.proofOfWork + OwnScript.compact(PackageResources.verifier_js)

    private static let verifierBody: [UInt8] =
        Array("(() => {\nconst own = document.currentScript && document.currentScript.src;\n".utf8) + parts
        + Array("self.DialtoneVerifier = DialtoneVerifier;\n})();\n".utf8)

    private static let moduleBody: [UInt8] =
        Array("const own = import.meta.url;\n".utf8) + parts + OwnScript.compact(PackageResources.connect_js)
        + Array("export { connectDialtone, DialtoneVerifier };\n".utf8)
}
