internal import Cryptography
internal import Encodings

/// The module that defines `<dialtone-sign-in>`, under a path that contains its hash, so that browsers keep it for
/// good. ``ScriptForWebApps/signIn`` has a fixed path and imports it.
public enum SignInModule {
    /// The path of this version.
    public static let path = path(of: hash)

    /// The path of any version; the parameter is its hash.
    public static let pathOfAnyVersion = path(of: "{hash}")

    /// Returns the headers of a response for the version that a browser requested.
    ///
    /// While a deployment is updated, a page may request the version of another worker. It gets this worker's, which
    /// no cache keeps under the other's path.
    public static func headers(requestedHash: String) -> [(name: StaticString, value: String)] {
        let isOwn = requestedHash == hash
        return ScriptForWebApps.headers(
            type: "text/javascript; charset=utf-8",
            cacheControl: isOwn ? "public, max-age=31536000, immutable" : "no-store"
        )
    }

    /// The module.
    public static let body: [UInt8] =
        Array("const own = import.meta.url;\n".utf8) + ScriptForWebApps.parts + Array("const BUILT = ".utf8) + built
        + Array(";\n".utf8) + OwnScript.compact(PackageResources.sign_in_js)
        + Array("export { DialtoneSignIn, DialtoneUser, DialtoneVerifier, signInWithPage };\n".utf8)

    /// The module that imports this version, under a path of its own that never changes.
    static let loader = Array("export * from '\(path)';\n".utf8)

    private static let hash = Hexadecimal.encode(SHA256.hash(body).prefix(8))

    private static func path(of hash: String) -> String { "/__/auth/sign-in-\(hash).js" }

    /// What the script needs before it reached the server: its style sheet, and texts for a server that it does not
    /// reach. All other texts come with the configuration, in the page's language only.
    private static let built = JSONWriter.object { json in
        json.member("style", String(decoding: OwnScript.compact(PackageResources.sign_in_css), as: UTF8.self))
        json.object("offlineTexts") { json in
            for language in Language.allCases {
                let texts = SignInTexts.texts(in: language)
                json.array(language.tag) { json in
                    for name in ["networkFailed", "serverFailed", "tryAgain", "title"] {
                        json.value(texts[name] ?? .string(""))
                    }
                }
            }
        }
    }
}
