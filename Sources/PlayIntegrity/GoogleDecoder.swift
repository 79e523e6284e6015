internal import Cryptography
public import Encodings
public import OutgoingHTTP
internal import Synchronization

/// A decoder of an app's tokens that uses Google's server.
///
/// A call blocks its thread, at most until the deadline. A circuit breaker keeps calls away from a failing server:
/// while it is open, tokens are rejected at once, and apps prove themselves with the challenge page instead.
public final class GoogleDecoder: Sendable {
    /// The result of decoding a token.
    enum Outcome: Sendable, Equatable {
        case payload(JSONObject)
        /// Google reports that the token is invalid.
        case refused
        /// Google rejected the service account.
        case accountRefused
        /// No valid response arrived in time, or the circuit breaker is open.
        case unavailable
    }

    /// The URL of Google's server.
    public static let googleURL = "https://playintegrity.googleapis.com"
    /// The time limit of a call, including a request for an access token if one is needed.
    public static let deadline: Duration = .seconds(3)

    private struct AccessToken: Confidential {
        let text: String
        let expiresAt: ContinuousClock.Instant
    }

    private let account: GoogleServiceAccount
    private let url: ServiceURL
    private let client: BoundedHTTPClient
    private let deadline: Duration
    private let breaker: Mutex<CircuitBreaker>
    private let accessToken = Mutex<AccessToken?>(nil)

    /// Creates a decoder for one app.
    ///
    /// - Parameters:
    ///   - account: the service account that may decode the app's tokens.
    ///   - url: the URL of the server, without a path.
    ///   - client: the HTTP client, which decoders may share.
    ///   - deadline: the time limit of a call.
    ///   - breaker: the thresholds of the circuit breaker.
    public init(
        account: GoogleServiceAccount,
        url: ServiceURL,
        client: BoundedHTTPClient,
        deadline: Duration = GoogleDecoder.deadline,
        breaker: CircuitBreakerPolicy = CircuitBreakerPolicy()
    ) {
        self.account = account
        self.url = url
        self.client = client
        self.deadline = deadline
        self.breaker = Mutex(CircuitBreaker(breaker))
    }

    /// Decodes a token. Call it from a thread that may block.
    func decode(_ token: String, of packageName: String, at now: Instant) -> Outcome {
        let start = ContinuousClock.now
        guard let permit = breaker.withLock({ $0.permit(at: start) }) else { return .unavailable }
        let result: (outcome: Outcome, call: CircuitBreaker.CallResult)
        do throws(Failure) {
            let access = try currentAccessToken(at: now, until: start + deadline)
            result = try decode(token, of: packageName, access, until: start + deadline)
        } catch {
            result = (error.outcome, .failure)
        }
        let end = ContinuousClock.now
        breaker.withLock { $0.record(result.call, took: end - start, permit: permit, at: end) }
        return result.outcome
    }

    /// A failure of Google's servers or of the service account.
    private struct Failure: Error {
        let outcome: Outcome

        static let unavailable = Failure(outcome: .unavailable)
        static let accountRefused = Failure(outcome: .accountRefused)
    }

    private func decode(
        _ token: String,
        of packageName: String,
        _ access: AccessToken,
        until end: ContinuousClock.Instant
    ) throws(Failure) -> (Outcome, CircuitBreaker.CallResult) {
        let request = HTTPRequest(
            postingTo: "\(url.text)/v1/\(packageName):decodeIntegrityToken",
            headers: [
                "Authorization": "Bearer \(access.text)", "Content-Type": "application/json",
                "Accept": "application/json",
            ],
            body: JSONWriter.object { $0.member("integrityToken", token) }
        )
        let answer = try send(request, until: end)
        switch answer.status {
        case 200:
            let body = JSONObject(parsing: answer.body, maximumDepth: 8)
            guard let payload = body?["tokenPayloadExternal"]?.object else { throw .unavailable }
            return (.payload(payload), .success)
        case 400: return (.refused, .success)
        case 401:
            // The key of the service account may have been replaced. The next call requests another access token.
            accessToken.withLock { if $0?.text == access.text { $0 = nil } }
            throw .accountRefused
        // A client could cause this status with a token for another Google Cloud project, so it must not open the
        // circuit breaker.
        case 403: return (.accountRefused, .success)
        default: throw .unavailable
        }
    }

    // MARK: Access tokens

    /// An access token is not used in the last minute before it expires, nor for longer than Google's tokens are valid.
    private static let expiryMargin: Int64 = 60
    private static let longestLifeSeconds: Int64 = 3600

    /// Returns the current access token, or requests one from the token server. Threads that find no current token at
    /// the same time request one each.
    private func currentAccessToken(
        at now: Instant,
        until end: ContinuousClock.Instant
    ) throws(Failure) -> AccessToken {
        if let current = accessToken.withLock({ $0 }), current.expiresAt > .now { return current }
        guard let assertion = try? account.assertion(at: now) else { throw .unavailable }
        let fields = [
            (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:jwt-bearer"),
            (name: "assertion", value: assertion),
        ]
        let request = HTTPRequest(
            postingTo: account.tokenURL.text,
            headers: ["Content-Type": FormFields.mediaType, "Accept": "application/json"],
            body: Array(FormFields.encode(fields).utf8)
        )
        let answer = try send(request, until: end)
        switch answer.status {
        case 200: break
        case 400, 401, 403: throw .accountRefused
        default: throw .unavailable
        }
        guard let body = JSONObject(parsing: answer.body, maximumDepth: 8),
            let text = body["access_token"]?.text, Self.isToken(text),
            let seconds = body["expires_in"]?.wholeNumber, seconds > 0
        else { throw .unavailable }
        let life = min(seconds, Self.longestLifeSeconds) - Self.expiryMargin
        let new = AccessToken(text: text, expiresAt: .now + .seconds(max(0, life)))
        accessToken.withLock { $0 = new }
        return new
    }

    /// Returns whether a text can be a bearer token (RFC 6750 § 2.1), with no character that could end the header
    /// field.
    private static func isToken(_ text: String) -> Bool {
        (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private func send(_ request: HTTPRequest, until end: ContinuousClock.Instant) throws(Failure) -> HTTPAnswer {
        let left = end - .now
        guard left > .zero else { throw .unavailable }
        do {
            return try client.sendAndWait(request, within: left)
        } catch {
            throw .unavailable
        }
    }
}

/// The operator's Google service account, which may decode the tokens of an app. It authenticates with assertions that
/// its key signs (RFC 7523 § 2.1).
public struct GoogleServiceAccount: Sendable, Confidential {
    /// The URL that issues access tokens.
    let tokenURL: ServiceURL
    private let email: String
    private let keyID: String?
    private let key: RSAPrivateKey

    private static let scope = "https://www.googleapis.com/auth/playintegrity"
    private static let assertionLifetimeSeconds: Int64 = 3600

    /// Parses the key file of a service account, as Google Cloud creates it: JSON with `client_email`, `private_key`
    /// and `token_uri`. Returns nil for another format, or if the key is not an RSA key of at least 2048 bits.
    public init?(file: [UInt8]) {
        guard let fields = JSONObject(parsing: file), let email = fields["client_email"]?.text,
            !email.isEmpty, let pem = fields["private_key"]?.text, let key = RSAPrivateKey(pem: pem),
            key.publicKey.bitCount >= 2048, let url = fields["token_uri"]?.text,
            let tokenURL = try? ServiceURL(url, allowsPlainLoopback: true)
        else { return nil }
        self.email = email
        self.key = key
        self.tokenURL = tokenURL
        keyID = fields["private_key_id"]?.text
    }

    /// Returns an assertion of the account's identity: a JWT with RS256.
    func assertion(at now: Instant) throws(CryptographyFailure) -> String {
        let header = JSONWriter.object { json in
            json.member("alg", "RS256")
            json.member("typ", "JWT")
            if let keyID { json.member("kid", keyID) }
        }
        let claims = JSONWriter.object { json in
            json.member("iss", email)
            json.member("scope", Self.scope)
            json.member("aud", tokenURL.text)
            json.member("iat", now.seconds)
            json.member("exp", now.seconds + Self.assertionLifetimeSeconds)
        }
        var token = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(claims)
        let signature = try key.signature(for: token)
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }
}
