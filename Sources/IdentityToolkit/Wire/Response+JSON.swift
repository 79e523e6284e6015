internal import FastCGI

extension Response {
    /// Any web app may call the API (CORS): the API key and the tokens protect it, not the origin. No cookies
    /// are used, so cross-site request forgery (CSRF) is not possible.
    private static let crossOrigin: [(name: StaticString, value: String)] = [
        ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Expose-Headers", "Retry-After, Dialtone-Reference, Dialtone-Attempts-Left"),
    ]

    private static let uncacheable: [(name: StaticString, value: String)] =
        [("Content-Type", "application/json; charset=UTF-8"), ("Cache-Control", "no-store")] + crossOrigin

    private static let uncacheableText: [(name: StaticString, value: String)] =
        [("Content-Type", "text/plain; charset=UTF-8"), ("Cache-Control", "no-store")] + crossOrigin

    /// Returns a JSON response that must not be cached.
    static func json(_ body: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: uncacheable, body: body)
    }

    /// Returns a JSON response that any cache may store for a limited time.
    static func json(_ body: [UInt8], publicFor lifetime: Duration) -> Response {
        Response(
            status: 200,
            headers: [
                ("Content-Type", "application/json; charset=UTF-8"),
                ("Cache-Control", "public, max-age=\(lifetime.components.seconds), no-transform"),
            ] + crossOrigin,
            body: body
        )
    }

    /// Returns a JSON response about a project that any cache may store for a limited time, if the request's URL has
    /// the API key.
    ///
    /// Caches identify a response by its URL. If a header selected the project, a shared cache would give its response
    /// to requests about other projects.
    static func json(_ body: [UInt8], publicFor lifetime: Duration, ifInURL isAPIKeyInURL: Bool) -> Response {
        isAPIKeyInURL ? json(body, publicFor: lifetime) : json(body)
    }

    /// Returns an error in the protocol's JSON envelope.
    static func error(_ error: WireError) -> Response {
        withHeaders(of: error, json(error.body, status: error.status.http))
    }

    /// Returns an error for clients that must not receive JSON. Only the body differs from the JSON response.
    static func plainText(_ error: WireError) -> Response {
        let body = Array("\(error.message)\n".utf8)
        return withHeaders(of: error, Response(status: error.status.http, headers: uncacheableText, body: body))
    }

    /// Returns a response with the headers of an error.
    static func withHeaders(of error: WireError, _ response: Response) -> Response {
        var response = response
        // Required by RFC 9110 § 15.5.2.
        if error.status.http == 401 { response.headers.append(("WWW-Authenticate", error.challenge)) }
        if let seconds = error.retryAfterSeconds { response.headers.append(("Retry-After", String(seconds))) }
        if let left = error.attemptsLeft { response.headers.append(("Dialtone-Attempts-Left", String(left))) }
        return response
    }

    /// Returns the response to a CORS preflight request.
    ///
    /// Browsers keep it for each URL, for at most ten minutes (Safari), two hours (Chromium) or a day (Firefox). It
    /// depends on the requested headers only, so it may be kept for as long as a browser likes.
    static func preflight(requestedHeaders: String?) -> Response {
        let allowed = requestedHeaders.flatMap { isHeaderList($0) ? $0 : nil } ?? knownRequestHeaders
        return Response(
            status: 204,
            headers: [
                ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE, OPTIONS"),
                ("Access-Control-Allow-Headers", allowed),
                ("Access-Control-Max-Age", "86400"),
            ],
            body: []
        )
    }

    /// Every header that the SDKs send.
    private static let knownRequestHeaders = """
        Authorization, Content-Type, Accept-Language, X-Client-Version, X-Firebase-Client, X-Firebase-GMPID, \
        X-Firebase-AppCheck, X-Firebase-Locale, X-Goog-Api-Key, X-Ios-Bundle-Identifier, X-Android-Package, \
        X-Android-Cert, Idempotency-Key
        """

    private static func isHeaderList(_ text: String) -> Bool {
        text.utf8.count <= 1024
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ","),
                    UInt8(ascii: " "):
                    true
                default: false
                }
            }
    }
}
