/// `/__/auth/verifier.js`: the script by which web apps get a challenge token.
public enum VerifierScript {
    /// The script, wrapped in one function, so that `DialtoneVerifier` is the only global name that it defines.
    public static let body: [UInt8] =
        Array("(() => {\n".utf8) + PageAssets.proofOfWork + OwnScript.compact(PackageResources.verifier_js)
        + Array("self.DialtoneVerifier = DialtoneVerifier;\n})();\n".utf8)

    /// The response's headers. Any site may load the script, because it contains no user's data.
    public static let headers: [(name: StaticString, value: String)] = [
        ("Content-Type", "text/javascript; charset=utf-8"),
        ("Cache-Control", "public, max-age=3600"),
        ("Access-Control-Allow-Origin", "*"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
}
