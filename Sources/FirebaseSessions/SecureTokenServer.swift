internal import Cryptography
internal import Encodings
internal import OutgoingHTTP
internal import PhoneAuth
internal import Synchronization

/// Google's Secure Token service, for one Firebase project.
///
/// A call blocks its thread, at most until the deadline. A circuit breaker keeps calls away from a failing server.
final class SecureTokenServer: Sendable {
    /// The time limit of an exchange, including a request for the public keys if one is needed.
    static let deadline: Duration = .seconds(3)
    private static let googleURL = "https://securetoken.googleapis.com"
    /// The host of the public keys is another one.
    private static let googleKeysURL = "https://www.googleapis.com"
    /// Google publishes a key for longer than this before it signs. A token with an unknown key has the keys requested
    /// again.
    private static let keyLifetime: Duration = .seconds(3600)
    private static let leastKeyBits = 2048

    private struct Keys {
        let byID: [String: RSAPublicKey]
        let expiresAt: ContinuousClock.Instant
    }

    /// Why a server did not respond as documented.
    private struct Fault: Error {
        let reason: String
        /// Whether a client could have caused it, so that it must not open the circuit breaker.
        var mayBeClients = false
    }

    private let project: FirebaseProject
    private let client: BoundedHTTPClient
    private let deadline: Duration
    private let breaker = Mutex(CircuitBreaker())
    private let keys = Mutex<Keys?>(nil)

    init(_ project: FirebaseProject, proxy: HTTPProxy? = nil, deadline: Duration = SecureTokenServer.deadline) {
        self.project = project
        self.deadline = deadline
        var configuration = HTTPClientConfiguration()
        configuration.proxy = proxy
        configuration.connectDeadline = deadline
        client = BoundedHTTPClient(configuration)
    }

    /// Exchanges a refresh token for an ID token, and verifies it.
    func exchange(_ refreshToken: String, at now: Instant) -> FirebaseTokenOutcome {
        let start = ContinuousClock.now
        guard let permit = breaker.withLock({ $0.permit(at: start) }) else {
            return .unavailable("the circuit breaker is open")
        }
        let result: (outcome: FirebaseTokenOutcome, call: CircuitBreaker.CallResult)
        do throws(Fault) {
            result = (try exchange(refreshToken, at: now, until: start + deadline), .success)
        } catch {
            result = (.unavailable(error.reason), error.mayBeClients ? .success : .failure)
        }
        let end = ContinuousClock.now
        breaker.withLock { $0.record(result.call, took: end - start, permit: permit, at: end) }
        return result.outcome
    }

    private func exchange(
        _ refreshToken: String,
        at now: Instant,
        until end: ContinuousClock.Instant
    ) throws(Fault) -> FirebaseTokenOutcome {
        let fields = [(name: "grant_type", value: "refresh_token"), (name: "refresh_token", value: refreshToken)]
        let request = HTTPRequest(
            postingTo: "\(project.url?.text ?? Self.googleURL)/v1/token?key=\(project.apiKey)",
            headers: ["Content-Type": FormFields.mediaType, "Accept": "application/json"],
            body: Array(FormFields.encode(fields).utf8)
        )
        let answer = try send(request, until: end)
        let body = JSONObject(parsing: answer.body, maximumDepth: 8)
        guard answer.status == 200 else {
            let word = body?["error"]?.object?["message"]?.text?.prefix { $0 != " " }
            if answer.status == 400, let refusal = word.flatMap({ FirebaseTokenRefusal(rawValue: String($0)) }) {
                return .refused(refusal)
            }
            throw Fault(reason: "the exchange has status \(answer.status)", mayBeClients: answer.status == 400)
        }
        guard let text = body?["id_token"]?.text, let token = CompactJWT(text), let keyID = token.keyID else {
            throw Fault(reason: "the response has no signed ID token")
        }
        let key = try key(keyID, until: end)
        guard let signIn = FirebaseSignIn(token, signedBy: key, of: project.id, at: now) else {
            throw Fault(reason: "the ID token is not a valid one of the project", mayBeClients: true)
        }
        return .exchanged(signIn)
    }

    /// Returns Google's public key with this id. Threads that do not find it at the same time request all keys each.
    private func key(_ id: String, until end: ContinuousClock.Instant) throws(Fault) -> RSAPublicKey {
        if let current = keys.withLock({ $0 }), current.expiresAt > .now, let key = current.byID[id] { return key }
        let path = "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        let url = (project.url?.text ?? Self.googleKeysURL) + path
        let answer = try send(HTTPRequest(url: url, headers: ["Accept": "application/json"]), until: end)
        guard answer.status == 200, let body = JSONObject(parsing: answer.body, maximumDepth: 2) else {
            throw Fault(reason: "the public keys were not returned")
        }
        var byID: [String: RSAPublicKey] = [:]
        for (id, certificate) in body.members {
            guard let key = certificate.text.flatMap(RSAPublicKey.init(certificate:)), key.bitCount >= Self.leastKeyBits
            else { continue }
            byID[id] = key
        }
        let new = Keys(byID: byID, expiresAt: .now + Self.keyLifetime)
        keys.withLock { $0 = new }
        guard let key = byID[id] else { throw Fault(reason: "no public key has the id of the ID token") }
        return key
    }

    private func send(_ request: HTTPRequest, until end: ContinuousClock.Instant) throws(Fault) -> HTTPAnswer {
        let left = end - .now
        guard left > .zero else { throw Fault(reason: "timedOut") }
        do {
            return try client.sendAndWait(request, within: left)
        } catch {
            throw Fault(reason: "\(error.reason)")
        }
    }
}
