/// `/__/auth/verifier.js`: the script by which web apps prove themselves.
public enum VerifierScript {
    /// The script: one function around everything, so that `DialtoneVerifier` is the only name that it gives the page.
    public static let body: [UInt8] =
        Array("(() => {\n".utf8) + PageAssets.proofOfWork + OwnScript.compact(PackageResources.verifier_js)
        + Array("self.DialtoneVerifier = DialtoneVerifier;\n})();\n".utf8)

    /// The response's headers. Any site may load the script: it holds nothing of anybody's.
    public static let headers: [(name: StaticString, value: String)] = [
        ("Content-Type", "text/javascript; charset=utf-8"),
        ("Cache-Control", "public, max-age=3600"),
        ("Access-Control-Allow-Origin", "*"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
}
